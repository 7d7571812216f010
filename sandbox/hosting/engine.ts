import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CallMatcher, RecordedCall } from './calls.ts';
import { createInterventions, type Hold, type HoldPoint } from './interventions.ts';

/** A hosting service on this machine, whatever it answers, and what a test may do to its requests. */
export interface Engine<Fault> {
  /** Its address. Listens on 127.0.0.1 only. */
  start(): Promise<{ url: string }>;
  /** Cuts every connection. It can be started again, at the same address and in the same state. */
  stop(): Promise<void>;
  /** Oldest first; the newest 10,000. */
  readonly calls: readonly RecordedCall[];
  /** Freezes the next matching request, before its effect (default) or between its effect and its answer. */
  hold(matcher: CallMatcher, point?: HoldPoint): Hold;
  /** Makes the next matching requests go wrong, as many as `times`. Gives what ends that. */
  failNext(matcher: CallMatcher, fault: Fault, times?: number): () => void;
}

/** An answer as it goes over the wire, or the cut of its connection. */
export type Sent =
  | 'reset'
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** What was sent; undefined for nothing. */
export type Input = { readonly body: unknown } | { readonly unreadable: 'is not JSON' | 'is too large' };

/** One request, as a service answers it. */
export interface Received<Fault> {
  readonly call: RecordedCall;
  readonly headers: IncomingMessage['headers'];
  /** `http://host:port` as it was asked for. */
  readonly origin: string;
  readonly query: URLSearchParams;
  /** Aborts when the server stops, so that no slow answer outlives it. */
  readonly stopping: AbortSignal;
  /** Reads the body. */
  read(): Promise<Input>;
  /** The fault that somebody asked for, if any. */
  takeFault(): Fault | undefined;
  /** Freezes what is answered before and after, where somebody holds it. */
  held(answer: () => Promise<Sent>): Promise<Sent>;
}

/** How a service answers. */
export interface Serving<Fault> {
  /** 0 takes a free port at the first start. */
  readonly port: number;
  /** When a call came, Unix ms. */
  readonly now: () => number;
  readonly serve: (received: Received<Fault>) => Promise<Sent>;
  /** Hears of each call once it was answered or cut. */
  readonly onCall?: (call: RecordedCall) => void;
}

/** Enough for any test, and a bound for a demo that runs for days. */
const KEPT_CALLS = 10_000;
/** The largest body that is read. */
const LARGEST_BYTES = 16_384;
/** How much of a larger one is let through unread, so that its sender gets to read the answer. */
const DRAINED_BYTES = 1_048_576;

/** Makes a service of what answers. */
export function createEngine<Fault>({ port, now, serve, onCall }: Serving<Fault>): Engine<Fault> {
  const calls: RecordedCall[] = [];
  const interventions = createInterventions<Fault>();
  const exchange = async (
    request: IncomingMessage,
    response: ServerResponse,
    stopping: AbortSignal,
  ): Promise<void> => {
    // Without ever throwing, as `new URL` would.
    const [path = '', ...queries] = (request.url ?? '/').split('?');
    const query = queries.join('?');
    const call: RecordedCall = {
      method: request.method ?? 'GET',
      path,
      query,
      at: now(),
      body: undefined,
      status: 'pending',
      hadEffect: false,
    };
    calls.push(call);
    if (calls.length > KEPT_CALLS) calls.shift();
    const received: Received<Fault> = {
      call,
      headers: request.headers,
      origin: `http://${request.headers.host ?? '127.0.0.1'}`,
      query: new URLSearchParams(query),
      stopping,
      read: () => readBody(request),
      takeFault: () => interventions.takeFault(call),
      held: async (answer) => {
        if ((await interventions.pass(call, 'before')) === 'drop') return 'reset';
        const sent = await answer();
        return (await interventions.pass(call, 'after')) === 'drop' ? 'reset' : sent;
      },
    };
    const sent = await serve(received).catch((error: unknown) => {
      call.status = 'reset';
      throw error;
    });
    if (sent === 'reset' || response.destroyed) {
      call.status = 'reset';
      request.socket.resetAndDestroy();
    } else {
      call.status = sent.status;
      // What wasn't read to its end can't be followed by another request on the same connection.
      if (!request.complete) response.setHeader('Connection', 'close');
      response.writeHead(sent.status, { ...sent.headers }).end(sent.body);
    }
    onCall?.(call);
  };
  const listener = createListener(port, exchange);
  return {
    calls,
    start: () => listener.start(),
    async stop() {
      interventions.dropAll();
      await listener.stop();
    },
    hold: (matcher, point = 'before') => interventions.hold(matcher, point),
    failNext: (matcher, fault, times = 1) => interventions.failNext(matcher, fault, times),
  };
}

/** An HTTP server on 127.0.0.1 that can be stopped and started again at the same address. */
function createListener(
  port: number,
  exchange: (request: IncomingMessage, response: ServerResponse, stopping: AbortSignal) => Promise<void>,
): Pick<Engine<never>, 'start' | 'stop'> {
  let stopping = new AbortController();
  let chosenPort = port;
  const server = createServer((request, response) => {
    exchange(request, response, stopping.signal).catch(() => {
      // Stopped on the way, or a bug in the sandbox: nobody waits for ever either way.
      if (response.headersSent || stopping.signal.aborted) request.socket.destroy();
      else response.writeHead(500, { 'Content-Type': 'application/json' }).end(failure);
    });
  });
  server.on('clientError', (_error, stream) => refuse(stream as Socket));
  return {
    async start() {
      stopping = new AbortController();
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(chosenPort, '127.0.0.1', () => {
          server.off('error', reject);
          resolve();
        });
      });
      const address = server.address();
      if (typeof address === 'object' && address !== null) chosenPort = address.port;
      return { url: `http://127.0.0.1:${chosenPort}` };
    },
    async stop() {
      stopping.abort();
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Input> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Not destroyed on leaving the loop: the connection is still needed for the answer.
  const received = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of received) {
    bytes += chunk.length;
    if (bytes <= LARGEST_BYTES) chunks.push(chunk);
    if (bytes > DRAINED_BYTES) break;
  }
  if (bytes > LARGEST_BYTES) return { unreadable: 'is too large' };
  const text = Buffer.concat(chunks).toString('utf8');
  if (text.trim() === '') return { body: undefined };
  try {
    const body: unknown = JSON.parse(text);
    return { body };
  } catch {
    return { unreadable: 'is not JSON' };
  }
}

/** What a bug in the sandbox is answered with. */
const failure = '{"error":{"code":"internal_server_error","message":"The sandbox itself is broken"}}';
const notHttp = '{"error":{"code":"bad_request","message":"Not an HTTP request"}}';

// What isn't HTTP at all is refused before there is a request to answer.
function refuse(socket: Socket): void {
  if (!socket.writable) return;
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${notHttp.length}\r\nConnection: close\r\n\r\n${notHttp}`,
  );
}
