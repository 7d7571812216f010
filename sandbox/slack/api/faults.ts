import type { Json } from '../json.ts';
import type { ApiCall } from './calls.ts';
import { createGate, type Held } from './hold.ts';

/** What goes back over HTTP. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Json;
  /** What is said in place of `body` where Slack speaks no JSON. */
  readonly text?: string;
}

/** Which calls a fault is for: a method's name (`response_url` and `upload` too), or a test on the call. */
export type Matcher = string | ((call: Pick<ApiCall, 'method' | 'args'>) => boolean);

/** How a call goes wrong of its own accord: done and its answer lost, neither, an HTTP status, 429, or only late. */
export type SlackFault =
  | 'lose answer'
  | 'drop'
  | { readonly status: number }
  | { readonly retryAfterSeconds: number | undefined }
  | { readonly delayMs: number };

/** How the next call fails: see `failNext`. */
export type FailNext =
  | { readonly status: number }
  | { readonly error: string; readonly extra?: Json }
  | { readonly body: Json };

type Effect = () => Promise<ApiAnswer>;
type Handler = (call: ApiCall, effect: Effect) => Promise<ApiAnswer | 'reset'>;

interface Planned {
  readonly matches: Matcher;
  readonly handle: Handler;
}

/** Faults waiting for their call. Each strikes once, in the order asked for. */
export class Faults {
  readonly #planned: Planned[] = [];
  readonly #drops = new Set<() => void>();
  readonly #weather: (call: ApiCall) => SlackFault | undefined;

  constructor(weather: (call: ApiCall) => SlackFault | undefined = () => undefined) {
    this.#weather = weather;
  }

  /** HTTP 429 with Retry-After in seconds, or without; with `channel`, only for a post to that channel's id. */
  rateLimitNext(
    method: Matcher,
    { retryAfter, channel }: { retryAfter: number | undefined; channel?: string | undefined },
  ): void {
    const handle = handlerOf({ retryAfterSeconds: retryAfter });
    this.#plan(channel === undefined ? method : inChannel(method, channel), handle);
  }

  /** An HTTP status without a JSON answer, a platform error, or whatever answer a test wants; nothing is done. */
  failNext(method: Matcher, how: FailNext): void {
    if ('status' in how) return this.#plan(method, handlerOf({ status: how.status }));
    this.#plan(method, async (call) => {
      call.injected = true;
      if ('body' in how) return { status: 200, body: how.body };
      return { status: 200, body: { ok: false, error: how.error, ...how.extra } };
    });
  }

  /** Done, and the connection is reset before the answer. */
  loseAnswerOfNext(method: Matcher): void {
    this.#plan(method, handlerOf('lose answer'));
  }

  /** The connection is reset and nothing is done. */
  dropNext(method: Matcher): void {
    this.#plan(method, handlerOf('drop'));
  }

  /** Stops the next call at the door (`before`) or, done already, on its way back (`after`). */
  hold(method: Matcher, when: 'before' | 'after' = 'before'): Held {
    const gate = createGate();
    this.#drops.add(gate.held.drop);
    this.#plan(method, async (call, effect) => {
      const early = when === 'after' ? await effect() : undefined;
      const verdict = await gate.stop(call);
      this.#drops.delete(gate.held.drop);
      if (verdict === 'drop') {
        call.injected = true;
        return 'reset';
      }
      return early ?? effect();
    });
    return gate.held;
  }

  /** Sends a call through the first fault planned for it, if any. */
  async through(call: ApiCall, effect: Effect): Promise<ApiAnswer | 'reset'> {
    const index = this.#planned.findIndex(({ matches }) =>
      typeof matches === 'string' ? matches === call.method : matches(call),
    );
    const [planned] = index < 0 ? [] : this.#planned.splice(index, 1);
    if (planned) return planned.handle(call, effect);
    const fault = this.#weather(call);
    return fault === undefined ? effect() : handlerOf(fault)(call, effect);
  }

  /** Forgets what is planned and drops what is held. */
  clear(): void {
    this.#planned.length = 0;
    for (const drop of this.#drops) drop();
    this.#drops.clear();
  }

  #plan(matches: Matcher, handle: Handler): void {
    this.#planned.push({ matches, handle });
  }
}

function handlerOf(fault: SlackFault): Handler {
  return async (call, effect) => {
    if (typeof fault === 'object' && 'delayMs' in fault) {
      await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
      return effect();
    }
    call.injected = true;
    if (fault === 'lose answer') await effect();
    if (typeof fault === 'string') return 'reset';
    if ('status' in fault) return { status: fault.status, body: { ok: false, error: 'fatal_error' } };
    return {
      status: 429,
      ...(fault.retryAfterSeconds === undefined
        ? {}
        : { headers: { 'retry-after': String(fault.retryAfterSeconds) } }),
      body: { ok: false, error: 'ratelimited' },
    };
  };
}

function inChannel(method: Matcher, channel: string): Matcher {
  return (call) =>
    call.args['channel'] === channel && (typeof method === 'string' ? method === call.method : method(call));
}
