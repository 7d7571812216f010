import { setTimeout as wait } from 'node:timers/promises';
import type { Session } from './auth.ts';
import { DAY_MS } from '../time/duration.ts';
import { HostingError } from './hosting-error.ts';
import type { Held, SessionStore } from './session-store.ts';

/** The tokens that keys are exchanged for, each once for all processes and anew before it ends. */
export interface Sessions {
  /** One that counts. `doing`: for the log. Throws HostingError, with which nothing was done. */
  get(apiKey: string, doing: string): Promise<Held>;
  /** The service refused it. Tells whether another may be asked for: one that was opened just now is as good as any. */
  refused(held: Held): boolean;
  /** A text without the tokens. */
  redact(text: string): string;
}

interface SessionsDeps {
  readonly store: SessionStore;
  /** Asks the service for one. */
  readonly open: (apiKey: string, doing: string) => Promise<Session>;
  /** Redis' time, Unix ms. */
  readonly now: () => number;
}

/** A token is exchanged anew so long before its end, or a tenth of its life where that is less. */
const AHEAD_MS = 60_000;
/** Another process is waited for no longer; then this one asks as well. */
const WAIT_MS = 4_000;
const LOOK_EVERY_MS = 200;
/** A token that is refused so soon was not ended by its age. */
const NEW_MS = 30_000;
/** After a fault the login is asked again only so much later, twice as long each time up to the most; the fault is given meanwhile. */
const REST_MS = 1_000;
const MOST_REST_MS = 60_000;

export function createSessions({ store, open, now }: SessionsDeps): Sessions {
  /** The last ones that were used, the newest first: the one before may still be in an answer. */
  let used: readonly (Held & { readonly apiKey: string })[] = [];
  const refused = new Set<string>();
  let opening: { readonly apiKey: string; readonly held: Promise<Held> } | undefined;
  let failed:
    | { readonly apiKey: string; readonly error: unknown; readonly until: number; readonly restMs: number }
    | undefined;

  const isGood = ({ token, openedAt, endsAt }: Held): boolean =>
    !refused.has(token) && now() < endsAt - Math.min(AHEAD_MS, (endsAt - openedAt) / 10);
  const findGood = async (apiKey: string): Promise<Held | undefined> => {
    const found = await store.find(apiKey);
    return found && isGood(found) ? found : undefined;
  };
  const openAnew = async (apiKey: string, doing: string): Promise<Held> => {
    const openedAt = now();
    const { token, lastsMs = DAY_MS } = await open(apiKey, doing);
    const held = { token, openedAt, endsAt: openedAt + lastsMs };
    await store.put(apiKey, held, now());
    return held;
  };
  const find = async (apiKey: string, doing: string): Promise<Held> => {
    for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += LOOK_EVERY_MS) {
      const held =
        (await findGood(apiKey)) ??
        (await store.alone(apiKey, async () => (await findGood(apiKey)) ?? openAnew(apiKey, doing)));
      if (held) return held;
      await wait(LOOK_EVERY_MS);
    }
    return openAnew(apiKey, doing);
  };
  const fail = (apiKey: string, error: unknown): void => {
    const before = failed?.apiKey === apiKey ? failed.restMs : 0;
    const restMs = Math.min(MOST_REST_MS, Math.max(REST_MS, before * 2));
    const askedMs = error instanceof HostingError ? (error.retryAfterMs ?? 0) : 0;
    failed = { apiKey, error, restMs, until: now() + Math.max(restMs, askedMs) };
  };
  const begin = async (apiKey: string, doing: string): Promise<Held> => {
    if (failed?.apiKey === apiKey && now() < failed.until) throw failed.error;
    try {
      const held = await find(apiKey, doing);
      failed = undefined;
      used = [{ ...held, apiKey }, ...used.filter(({ token }) => token !== held.token)].slice(0, 3);
      return held;
    } catch (error) {
      fail(apiKey, error);
      throw error;
    }
  };
  const join = (apiKey: string, doing: string): Promise<Held> => {
    if (opening?.apiKey === apiKey) return opening.held;
    const held = begin(apiKey, doing).finally(() => (opening = undefined));
    opening = { apiKey, held };
    return held;
  };

  return {
    get: async (apiKey, doing) => {
      const last = used.find((one) => one.apiKey === apiKey);
      if (!last || refused.has(last.token) || now() >= last.endsAt) return join(apiKey, doing);
      // Nobody waits for the next one as long as this one counts.
      if (!isGood(last)) join(apiKey, doing).catch(() => undefined);
      return last;
    },
    refused: ({ token, openedAt }) => {
      if (now() - openedAt < NEW_MS) return false;
      refused.add(token);
      return true;
    },
    redact: (text) => used.reduce((left, { token }) => left.replaceAll(token, '…'), text),
  };
}
