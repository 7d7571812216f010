import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oncePer } from '../once-per.ts';
import { asError } from '../log/log.ts';
import type { Metrics, Reading } from '../metrics/metrics.ts';
import type { SharedQueue } from '../queue/queue.ts';
import { within } from '../time/wait.ts';

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** The bot's one HTTP server: exact paths only. */
export interface HttpServer {
  /** Gives the port listened on. */
  start(host: string, port: number): Promise<number>;
  /** Takes no new connection and waits for the open requests. */
  stop(): Promise<void>;
}

/** `routes` by "METHOD /path". A handler that throws answers 500; anything else is 404. */
export function createHttpServer(
  routes: Readonly<Record<string, HttpHandler>>,
  onError: (error: Error) => void,
): HttpServer {
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 5_000, connectionsCheckingInterval: 2_000 },
    (request, response) => {
      const path = request.url?.split('?', 1)[0] ?? '';
      const handler = routes[`${request.method ?? ''} ${path}`];
      if (!handler) return answer(response, 404);
      handling(handler, request, response).catch((error: unknown) => {
        onError(asError(error));
        if (!response.headersSent) answer(response, 500);
      });
    },
  );
  return {
    start: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          server.on('error', onError);
          resolve((server.address() as AddressInfo).port); // a TCP listener's address is never a string
        });
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

/** A handler that throws at once fails like one that throws later. */
async function handling(handler: HttpHandler, ...given: Parameters<HttpHandler>): Promise<void> {
  await handler(...given);
}

/** A text up to this many characters leaves in one piece with its head, which costs less than to encode it before. */
const SHORT = 2_000;

/** What many are answered with is encoded once. */
const jsonOf = oncePer((body: object): string | Buffer => {
  const text = JSON.stringify(body);
  return text.length > SHORT ? Buffer.from(text) : text;
});

/** A whole answer: status, and text or JSON. A body is not changed any more once it has been an answer. */
export function answer(response: ServerResponse, status: number, body?: string | object): void {
  if (response.writableEnded) return;
  const isJson = typeof body === 'object';
  const said = isJson ? jsonOf(body) : (body ?? '');
  response.writeHead(status, {
    'content-type': isJson ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(said),
  });
  response.end(said);
}

/**
 * The body of a request, or undefined once it is larger than `mostBytes`; then the rest is not read. Throws where the
 * connection breaks. By events: who leaves a loop over the stream early closes the connection, and can't answer.
 */
export function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostBytes) {
        request.pause();
        resolve(undefined);
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    // Also where the connection breaks.
    request.on('error', reject);
  });
}

/** What keeps this process from being of use, as a code without any secret; undefined for nothing. Answers in time, and never throws. */
type Check = () => Promise<string | undefined>;

export interface StatusDeps {
  /** What must hold for this process to be of use, by name. */
  readonly checks: Readonly<Record<string, Check>>;
  readonly metrics: Metrics;
  /** What is read at a scrape, each by itself: what has no answer in time, or none at all, is left out. */
  readonly readings: () => readonly Promise<readonly Reading[]>[];
  readonly queue: Pick<SharedQueue, 'metrics'>;
}

const LIMIT_MS = 1_500;

/** `/healthz`: the main loop turns. `/readyz`: send it work, or why not. `/metrics`: what it counts. */
export function statusRoutes(deps: StatusDeps): Readonly<Record<string, HttpHandler>> {
  const names = Object.keys(deps.checks);
  const faultsNow = (): Promise<readonly (string | undefined)[]> =>
    Promise.all(Object.values(deps.checks).map((check) => check()));
  return {
    'GET /healthz': (_request, response) => answer(response, 200, { status: 'ok' }),
    'GET /readyz': async (_request, response) => {
      const faults = await faultsNow();
      const isReady = faults.every((fault) => fault === undefined);
      const checks = Object.fromEntries(names.map((name, index) => [name, faults[index] ?? 'ok']));
      answer(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', checks });
    },
    'GET /metrics': async (_request, response) => {
      const [faults, readings, ofQueue] = await Promise.all([
        faultsNow(),
        Promise.all(deps.readings().map((reading) => within(LIMIT_MS, reading, []))),
        within(LIMIT_MS, deps.queue.metrics(), ''),
      ]);
      const ready = names.map((check, index): Reading => {
        return { gauge: 'ready', labels: { check }, value: faults[index] === undefined ? 1 : 0 };
      });
      const own = await deps.metrics.text([...ready, ...readings.flat()]);
      response.setHeader('cache-control', 'no-store');
      answer(response, 200, `${own}${ofQueue}`);
    },
  };
}
