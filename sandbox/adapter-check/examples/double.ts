import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Adapter } from '../../../src/platform/hosting/adapter.ts';
import type { ExampleAnswer, Examples } from '../../../src/platform/hosting/examples.ts';
import { readBy } from './read-examples.ts';
import { type Call, isSameCall, placeOf, routesOf } from './routes.ts';

/** What answers a call; undefined: its example. */
export type Saying = (call: Call) => ExampleAnswer | undefined;

/** A service on 127.0.0.1 that answers each call of an adapter with its example, and does nothing. */
export interface Double {
  readonly url: string;
  /** The path at which its key is exchanged, where it is. */
  readonly login: string | undefined;
  readonly key: string;
  /** The examples as the adapter reads them: their addresses are those of the double. */
  readonly examples: Examples;
  /** What came, but for exchanges of the key. */
  readonly calls: readonly Call[];
  /** Answers every call by `saying` while `work` goes on. */
  during<T>(saying: Saying, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** What a service in front of the service answers, or the service itself below another prefix. */
export const HTML_404: ExampleAnswer = {
  status: 404,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>404 Not Found</title></head><body></body></html>',
};
const SOME_KEY = 'a-made-up-key-0123456789';

/** Opens one. Throws where the adapter does not take the key of the examples, before it is open. */
export async function openDouble(adapter: Adapter, shown: Examples): Promise<Double> {
  const key = shown.key ?? SOME_KEY;
  mustTakeKey(adapter, key);
  const calls: Call[] = [];
  let saying: Saying = () => undefined;
  let answer = (_call: Call): ExampleAnswer => HTML_404;
  const server = createServer((request, response) => {
    heard(request).then(
      (call) => send(response, answer(call)),
      () => request.socket.destroy(),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { examples, asSent } = readBy(adapter, movedTo(url, adapter, shown));
  const login = loginPath(adapter, url, key);
  const routes = routesOf(adapter, examples, { url, key });
  const missing = examples.refusals.find(({ means }) => means === 'not-found')?.answer ?? HTML_404;
  answer = (call) => {
    if (call.path === login) return asSent(examples.session ?? HTML_404);
    calls.push(call);
    return asSent(saying(call) ?? routes.find((route) => isSameCall(route.call, call))?.answer ?? missing);
  };
  return {
    url,
    login,
    key,
    examples,
    calls,
    during: async (said, work) => {
      saying = said;
      try {
        return await work();
      } finally {
        saying = () => undefined;
      }
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
}

/** The examples with the address of the double in place of the service's own, as links to other pages have it. */
function movedTo(url: string, { origin }: Adapter, examples: Examples): Examples {
  if (origin === undefined) return examples;
  return JSON.parse(JSON.stringify(examples).replaceAll(new URL(origin).origin, url)) as Examples;
}

function mustTakeKey({ auth }: Adapter, key: string): void {
  try {
    auth?.session?.(key);
    auth?.inPath?.(key);
  } catch (error) {
    throw new Error(
      `examples.key is missing or none: ${error instanceof Error ? error.message : 'it is not taken'}`,
      {
        cause: error,
      },
    );
  }
}

function loginPath(adapter: Adapter, url: string, key: string): string | undefined {
  const at = adapter.auth?.session?.(key).at;
  if (at === undefined) return undefined;
  if (at.startsWith('/')) return `${placeOf(adapter, url).below?.path ?? ''}${at}`;
  const { pathname, search } = new URL(at);
  return `${pathname}${search}`;
}

async function heard(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  const { method = 'GET', url: path = '/' } = request;
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  const { range } = headers;
  const body = Buffer.concat(chunks).toString();
  return { method, path, body, headers, ...(range === undefined ? {} : { range }) };
}

function send(response: ServerResponse, { status = 200, headers, body }: ExampleAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body));
}
