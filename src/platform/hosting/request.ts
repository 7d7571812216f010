import { setTimeout as wait } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { Adapter } from './adapter.ts';
import type { ClientCertificate, WayOut } from '../http/way-out.ts';
import { HostingError, isKeyFault, isOutOfCalls } from './hosting-error.ts';
import { building } from './unreadable.ts';
import type { Budget, Priority } from './budget.ts';
import type { Answer } from './answer.ts';
import { bodyOf, parseBody } from './body.ts';
import type { Headers } from './auth.ts';
import type { Credentials, Shown } from './credentials.ts';
import { type ErrorReading, errorOfAnswer, errorOfBody, errorOfFailure } from './errors.ts';
import { SHORTEST_WAIT_MS } from './retry-after.ts';
import type { WriteOptions } from './service.ts';

/** One call: what is being done (for the log), how, and what must happen right before it leaves. */
interface Call {
  readonly doing: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Sent as JSON; as a form where it is URLSearchParams. */
  readonly body?: unknown;
  readonly headers?: Headers | undefined;
  /** The Range header, where a list is paged by it. */
  readonly range?: string;
  /** The priority of a read: a person's, where nothing is said. */
  readonly priority?: Exclude<Priority, 'write'>;
  /** Its path with `{id}` for what it is about; left out where nobody is told. */
  readonly route?: string;
  readonly beforeSend?: WriteOptions['beforeSend'];
  readonly answered?: WriteOptions['answered'];
  /** Set where its call has been taken from the budget already. */
  readonly isCounted?: boolean;
}

export interface Requester {
  /** A read, by POST where it has a body: repeated on faults that may pass, within the time limit. */
  read(call: Omit<Call, 'method'>): Promise<Answer>;
  /** A write: sent at most once. */
  write(call: Call): Promise<Answer>;
  close(): Promise<void>;
}

/** How calls are sent, whatever they ask for. */
export interface SendingOptions {
  readonly wayOut: WayOut;
  /** What a service is shown that asks who calls. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Limit for one call, from connecting to the last byte. */
  readonly timeoutMs: number;
  /** Takes secrets out of what a service echoes, before anything else sees it. */
  readonly redact: (text: string) => string;
  /** How the service's answers are read. */
  readonly service?: ErrorReading & Pick<Adapter, 'readBody'>;
  readonly onCall?: (call: Call, result: string, tookMs: number) => void;
}

export interface RequesterOptions extends SendingOptions {
  readonly origin: string;
  /** What each call shows, so that the service knows who asks. */
  readonly credentials: Credentials;
  readonly budget: Pick<Budget, 'take' | 'pause'>;
  /** Asked before a call leaves, and before a write is written down as leaving. What it throws is thrown: nothing was sent. */
  readonly mayCall?: (isWrite: boolean) => Promise<void>;
}

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_READS = 3;
/** How long all waits of a call may take: for the budget, and for what the service asked. Past that the caller learns when it is. */
const PATIENCE_MS: Readonly<Record<Priority, number>> = {
  // Its job comes back later, which leaves the call to those who wait.
  bulk: 0,
  background: 0,
  // Nobody waits for it, and a list that is given up halfway was read for nothing.
  refresh: 30_000,
  // A check that has begun is not thrown away for its second page; its part comes back in pieces.
  continued: 20_000,
  read: 4_000,
  poll: 5_000,
  // What is written down is queued, and the person hears of it soon.
  change: 1_000,
  // Its part comes back in pieces, and it is read again soon.
  alert: 2_000,
  write: 5_000,
};

/**
 * HTTP to one origin. No redirects (undici's request follows none), answers capped in bytes and time,
 * nothing compressed (undici counts compressed bytes only).
 */
export function createRequester(options: RequesterOptions): Requester {
  const how = howToConnect(options);
  const kept = options.wayOut.open({ ...how, connections: 8, keepAliveTimeout: 60_000 });

  const outage = createOutage();

  const { credentials } = options;
  const once = async (call: Call, dispatcher: Dispatcher, shown: Shown): Promise<Answer> => {
    const started = performance.now();
    let result = 'failed';
    try {
      const answer = await exchange(options, call, dispatcher, shown);
      result = String(answer.status);
      if (!isSuccess(answer.status)) throw errorOfAnswer(call.doing, answer, Date.now(), options.service);
      return answer;
    } catch (error) {
      const fault = error instanceof HostingError ? error : errorOfFailure(call.doing, error);
      const pauseMs = pauseAfter(fault);
      if (pauseMs > 0) await options.budget.pause(pauseMs);
      outage.hear(fault, pauseMs);
      if (result === 'failed') result = fault.fault;
      throw isOfWhatWasShown(fault, shown) ? withAnotherSession(credentials, call, shown, fault) : fault;
    } finally {
      options.onCall?.(call, result, performance.now() - started);
      call.answered?.(result);
    }
  };

  return {
    read: async (asked) => {
      const call: Call = { ...asked, method: asked.body === undefined ? 'GET' : 'POST' };
      const { priority = 'read', doing } = call;
      const until = performance.now() + PATIENCE_MS[priority];
      const leftMs = (): number => Math.max(0, until - performance.now());
      await options.mayCall?.(false);
      let failed: HostingError | undefined;
      let isDoubted = false;
      for (let tries = 1; ; tries++) {
        try {
          await options.budget.take(priority, doing, leftMs());
        } catch (error) {
          // What went wrong before tells more than that no call is left to try again.
          throw failed ?? outage.orWhy(error, call);
        }
        try {
          return await once(call, kept, await credentials.take(doing));
        } catch (error) {
          if (!(error instanceof HostingError)) throw error;
          const isFirstDoubt = !isDoubted && isDoubtful(error, priority);
          if (tries >= MAX_READS && !isFirstDoubt) throw error;
          const askedMs = error.retryAfterMs ?? 0;
          if (isFirstDoubt) isDoubted = true;
          else if (!mayPass(error) || askedMs > leftMs()) throw error;
          else failed = error;
          await wait(Math.max(Math.min(askedMs, leftMs()), 200 * 2 ** tries * (0.5 + Math.random())));
        }
      }
    },
    write: async (call) => {
      const shown = await credentials.take(call.doing);
      if (!call.isCounted) await options.budget.take('write', call.doing, PATIENCE_MS.write);
      // A connection of its own: a kept-alive one that the service closed meanwhile would turn
      // "certainly not sent" into "unknown", and an unknown restart is never repeated.
      const client = options.wayOut.open({ ...how, connections: 1 });
      try {
        await options.mayCall?.(true);
        const { method, route } = call;
        await call.beforeSend?.(route === undefined ? { method } : { method, route });
        return await once(call, client, shown);
      } finally {
        client.destroy().catch(() => undefined);
      }
    },
    close: () => kept.destroy(),
  };
}

function howToConnect({ timeoutMs, clientCertificate }: SendingOptions) {
  return {
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: MAX_BYTES,
    clientCertificate,
  };
}

/** Whether what was shown is refused. Of a token that has ended, whoever stands in front of the service may say so in a form of their own. */
function isOfWhatWasShown({ fault, status }: HostingError, { session }: Shown): boolean {
  return fault === 'unauthorized' || (status === 401 && session !== undefined);
}

/** A refusal of what was shown: one that may be asked again where a new session may be opened, for certainly nothing was done. */
function withAnotherSession(
  credentials: Credentials,
  { doing }: Call,
  shown: Shown,
  refusal: HostingError,
): HostingError {
  if (!credentials.refused(shown)) return refusal;
  const { fault, status, said, outcome } = refusal;
  return new HostingError(doing, { fault, status, said, outcome, retryable: true });
}

/** One request and its answer, read to the end. */
async function exchange(
  { origin, credentials, redact, timeoutMs, service }: RequesterOptions,
  call: Call,
  dispatcher: Dispatcher,
  shown: Shown,
): Promise<Answer> {
  const { method } = call;
  const path = shown.pathOf(call.path);
  const { body, type } = building(call.doing, () => bodyOf(call.body));
  const own = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(call.range === undefined ? {} : { range: call.range }),
    ...(type === undefined ? {} : { 'content-type': type }),
    ...inSmallLetters(call.headers ?? {}),
  };
  const response = await dispatcher.request({
    origin,
    method,
    path,
    headers: {
      ...own,
      ...inSmallLetters(
        shown.headersOf({ method, url: `${origin}${path}`, headers: own, body: body ?? '', at: Date.now() }),
      ),
    },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  const status = response.statusCode;
  if (isCompressed(headers['content-encoding'])) {
    // Destroying a body that nobody listens to would end the process.
    response.body.on('error', () => undefined).destroy();
    if (isSuccess(status))
      throw errorOfBody(call.doing, 'a compressed answer, which was not asked for', undefined, status);
    return { status, headers, body: undefined };
  }
  const text = redact(credentials.redact(await response.body.text()));
  return { status, headers, body: parseBody(text, service?.readBody) };
}

function inSmallLetters(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** What a service that is down has said: nobody calls it for a while, and whoever only looks is told the same as who asked it. */
function createOutage(): {
  /** `pauseMs`: how long nobody calls it after this. */
  hear(fault: HostingError, pauseMs: number): void;
  /** Why a call is not made: that the service is down, in place of that nobody calls it. */
  orWhy(error: unknown, call: Pick<Call, 'doing' | 'priority'>): unknown;
} {
  let heard: (Pick<HostingError, 'status' | 'said'> & { readonly until: number }) | undefined;
  return {
    hear: ({ fault, status, said }, pauseMs) => {
      if (fault === 'unavailable' && pauseMs > 0)
        heard = { status, said, until: performance.now() + pauseMs };
    },
    orWhy: (error, { doing, priority = 'read' }) => {
      const isPaused = isOutOfCalls(error) && !error.isOwnLimit && priority === 'read';
      if (!isPaused || !heard || performance.now() > heard.until) return error;
      const { status, said } = heard;
      const details = { fault: 'unavailable', outcome: 'not-done', retryable: true } as const;
      return new HostingError(doing, { ...details, status, said, retryAfterMs: error.retryAfterMs });
    },
  };
}

/** How long (ms) nobody calls after a fault: where too many did, or the service is down and says until when. */
function pauseAfter({ fault, retryAfterMs }: HostingError): number {
  if (fault === 'rate-limited') return retryAfterMs ?? SHORTEST_WAIT_MS;
  return fault === 'unavailable' ? (retryAfterMs ?? 0) : 0;
}

/** Whether one server of a service may not know a key or an address, or not yet: it is asked again, as each poll is by the next. */
function isDoubtful({ fault }: HostingError, priority: Priority): boolean {
  return isKeyFault(fault) || (fault === 'not-found' && priority !== 'poll');
}

/** Whether another try may get through. A person who waits has waited long enough for a read that timed out. */
function mayPass({ retryable, status, cause }: HostingError): boolean {
  // What is not implemented is not there a moment later either.
  return retryable && status !== 501 && !isTimeout(cause);
}

/** Content codings, as registered; anything else in that header, as a character set, says nothing of how a body is written. */
const CODINGS = /\b(?:x-)?(?:gzip|compress|deflate|br|zstd|dcb|dcz|exi|aes128gcm|pack200-gzip)\b/i;

function isCompressed(encoding: string | undefined): boolean {
  return encoding !== undefined && CODINGS.test(encoding);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** Also of the connection, or of the proxy that it goes through. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name.endsWith('TimeoutError') || isTimeout(error.cause));
}
