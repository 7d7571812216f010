import { setTimeout as wait } from 'node:timers/promises';
import type { Session } from './auth.ts';
import { DAY_MS } from '../time/duration.ts';
import { HostingError } from './hosting-error.ts';
import { hkdfSync } from 'node:crypto';
import { z } from 'zod';
import { newId } from '../id.ts';
import type { RedisConnection } from '../redis/connection.ts';
import { key } from '../redis/key.ts';
import { releaseLock, takeLock } from '../redis/lock.ts';
import { unlessRedisIsAway } from '../redis/away.ts';
import { type Keyring, parseKeyring, SealError } from '../secrets/keyring.ts';
import { accountOf } from './budget.ts';

const sessionKeys = {
  session: (account: string): string => key('session', account),
  lease: (account: string): string => key('session', account, 'lease'),
} as const;

const heldSchema = z.object({ token: z.string(), openedAt: z.number(), endsAt: z.number() });
/** A token, and from when until when it counts, in Redis' time, Unix ms. */
export type Held = z.output<typeof heldSchema>;

/** Where the processes that use a key share the token that it was exchanged for. Redis being away is no fault: there is none then. */
export interface SessionStore {
  find(apiKey: string): Promise<Held | undefined>;
  put(apiKey: string, held: Held, now: number): Promise<void>;
  /** Does `work` while no other process does it; undefined where one does. Without Redis everybody does it. */
  alone<T>(apiKey: string, work: () => Promise<T>): Promise<T | undefined>;
}

/** Longer than an exchange takes. */
const LEASE_MS = 15_000;
/** What the keys that seal tokens are derived for. */
const PURPOSE = 'session of a hosting service';

/**
 * Tokens stand in Redis sealed under a key that is derived from the API key: who has Redis alone can't use them. `service`: what tells
 * where they count from where the same key counts as well.
 */
export function createSessionStore(redis: RedisConnection, service: string): SessionStore {
  const idOf = (apiKey: string): string => accountOf([service, apiKey].join(' '));
  const find = async (apiKey: string): Promise<Held | undefined> => {
    const account = idOf(apiKey);
    const sealed = await redis.get(sessionKeys.session(account));
    return sealed === null ? undefined : opened(keyringOf(apiKey), sealed, account);
  };
  const put = async (apiKey: string, held: Held, now: number): Promise<void> => {
    const account = idOf(apiKey);
    const sealed = keyringOf(apiKey).seal(JSON.stringify(held), account);
    const keptMs = Math.min(DAY_MS, Math.max(1, Math.ceil(held.endsAt - now)));
    await redis.set(sessionKeys.session(account), sealed, 'PX', keptMs);
  };
  return {
    find: (apiKey) => unlessRedisIsAway(find(apiKey), undefined),
    put: (apiKey, held, now) => unlessRedisIsAway(put(apiKey, held, now), undefined),
    alone: async (apiKey, work) => {
      const leaseKey = sessionKeys.lease(idOf(apiKey));
      const own = newId();
      if (!(await unlessRedisIsAway(takeLock(redis, leaseKey, own, LEASE_MS), true))) return undefined;
      try {
        return await work();
      } finally {
        await unlessRedisIsAway(releaseLock(redis, leaseKey, own), undefined);
      }
    },
  };
}

function keyringOf(apiKey: string): Keyring {
  const derived = Buffer.from(hkdfSync('sha256', apiKey, '', PURPOSE, 32));
  return parseKeyring(`session:${derived.toString('base64')}`);
}

/** What was sealed with another key, or by another version of the bot, is as good as none. */
function opened(keyring: Keyring, sealed: string, account: string): Held | undefined {
  try {
    return heldSchema.safeParse(JSON.parse(keyring.open(sealed, account).text)).data;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

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
