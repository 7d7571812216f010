import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A call as a service gets it. */
export interface Got {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** Parsed, where it is JSON; the text where it isn't. */
  readonly body: unknown;
}

/** What it answers; without one the connection breaks off, when it has done what it was asked for. */
export type Given = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>];

/** A service over HTTP that answers as a test says. */
export interface SmallService {
  readonly url: string;
  readonly calls: Got[];
  /** The calls that change something: "POST /servers/1/stop {…}". */
  writes(): string[];
}

export async function openService(answer: (call: Got) => Given | undefined): Promise<SmallService> {
  const calls: Got[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', headers } = request;
      const url = new URL(request.url ?? '/', 'http://here.test');
      const call = { method, url, headers, body: parsed(Buffer.concat(chunks).toString()) };
      calls.push(call);
      const given = answer(call);
      if (!given) {
        request.socket.destroy();
        return;
      }
      const [status, body, more] = given;
      response.writeHead(status, { 'content-type': 'application/json', ...more });
      response.end(body === undefined ? '' : JSON.stringify(body));
    });
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    writes: () =>
      calls
        .filter(({ method }) => method !== 'GET')
        .map(({ method, url, body }) => `${method} ${url.pathname}${url.search} ${JSON.stringify(body)}`),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
