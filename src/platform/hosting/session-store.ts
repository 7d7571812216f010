import { hkdfSync } from 'node:crypto';
import { z } from 'zod';
import { newId } from '../id.ts';
import type { RedisConnection } from '../redis/connection.ts';
import { key } from '../redis/key.ts';
import { releaseLock, takeLock } from '../redis/lock.ts';
import { unlessRedisIsAway } from '../redis/away.ts';
import { type Keyring, parseKeyring, SealError } from '../secrets/keyring.ts';
import { DAY_MS } from '../time/duration.ts';
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
