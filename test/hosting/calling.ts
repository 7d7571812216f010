import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createHostingSandbox, type HostingSandboxOptions } from '../../sandbox/hosting/sandbox.ts';
import { adapter as instanceHosting } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { baseOf } from '../../src/platform/hosting/address.ts';
import type { Budget } from '../../src/platform/hosting/budget.ts';
import { type Auth, keyInHeader } from '../../src/platform/hosting/auth.ts';
import { createCredentials } from '../../src/platform/hosting/credentials.ts';
import { createHostingClient } from '../../src/platform/hosting/client.ts';
import { direct } from '../../src/platform/http/way-out.ts';
import { createRequester, type RequesterOptions } from '../../src/platform/hosting/request.ts';
import type { HostingService } from '../../src/platform/hosting/service.ts';

export { faultOf } from './answering.ts';

const KEY = 'oc_live_demo_harbour';

/** A budget that never makes anybody wait, and remembers what it was asked. */
export function openBudget(): Pick<Budget, 'take' | 'pause'> & { taken: string[]; pauses: number[] } {
  const taken: string[] = [];
  const pauses: number[] = [];
  return {
    taken,
    pauses,
    take: async (kind) => {
      taken.push(kind);
    },
    pause: async (waitMs) => {
      pauses.push(waitMs);
    },
  };
}

export interface ClientOptions {
  readonly timeoutMs?: number;
  readonly budget?: RequesterOptions['budget'];
  readonly auth?: Auth;
}

/** The client as the composition root builds it, closed with the test. */
export function clientOf(url: string, options: ClientOptions = {}): HostingService {
  const service = createHostingClient(
    instanceHosting,
    url,
    createRequester({
      origin: baseOf(url, instanceHosting.prefix).origin,
      wayOut: direct,
      credentials: createCredentials({
        auth: options.auth ?? keyInHeader('Authorization', 'Bearer'),
        key: KEY,
      }),
      budget: options.budget ?? openBudget(),
      timeoutMs: options.timeoutMs ?? 10_000,
      redact: (text) => text,
    }),
  );
  onTestFinished(() => service.close());
  return service;
}

/** A hosting company and a client for it. Power actions take no time unless set otherwise. */
export async function openCompany(options: HostingSandboxOptions = {}, client: ClientOptions = {}) {
  const sandbox = createHostingSandbox({ powerMs: 60_000, rateLimit: 100_000, ...options });
  const { url } = await sandbox.start();
  onTestFinished(() => sandbox.stop());
  return { sandbox, url, hosting: clientOf(url, client) };
}

/** A call as a server has it. */
interface Seen extends Pick<IncomingMessage, 'headers' | 'rawHeaders'> {
  readonly method: string;
  readonly url: string;
}

/** A server of our own for answers that no hosting company gives on purpose. */
export async function openServer(listener: RequestListener): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    seen.push({
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      rawHeaders: request.rawHeaders,
    });
    // A caller that hangs up is what some of these tests are about.
    response.on('error', () => undefined);
    listener(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    const closed = new Promise((resolve) => {
      server.close(resolve);
    });
    server.closeAllConnections();
    await closed;
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** A server that gives every request the same answer. */
export function openAnswer(status: number, body: string, headers: Readonly<Record<string, string>> = {}) {
  return openServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  });
}
