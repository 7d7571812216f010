import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { HostingError } from './hosting-error.ts';
import type { RedisConnection } from '../redis/connection.ts';
import { SHORTEST_WAIT_MS } from './retry-after.ts';
import { key } from '../redis/key.ts';

export const budgetKeys = {
  /** Prefix of the calls counted against one API key. */
  all: key('budget'),
  /** The same of those that one kind of reading behind everybody's back made. */
  of: (kind: 'bulk' | 'refresh' | 'background'): string => key('budget', kind),
} as const;

/**
 * Who waits for a call. The later ones come first: a page of a very long list, or of the list of instances that is read
 * again for everybody, the bot's own looks at the balance and what such a look goes on with, a person's read, a look at
 * what is under way, a write.
 */
export type Turn = 'bulk' | 'refresh' | 'background' | 'continued' | 'read' | 'look' | 'write';

/** One rate budget for each API key, shared by every process that uses it. */
export interface Budget {
  /** Waits for a call's turn. Throws a HostingError (rate-limited, not done) at once when none comes within `patienceMs`. */
  take(kind: Turn, doing: string, patienceMs: number): Promise<void>;
  /** The service itself said 429: nobody calls before `waitMs` have passed. */
  pause(waitMs: number): Promise<void>;
}

export interface Limit {
  readonly requests: number;
  readonly seconds: number;
}

/** How much of a window's calls may have been made, by whoever, when each still gets a turn. */
const SHARES: Readonly<Record<Turn, number>> = {
  bulk: 0.75,
  refresh: 0.75,
  background: 0.75,
  continued: 0.75,
  read: 0.85,
  look: 0.95,
  write: 1,
};

/** What nobody waits for has a small part of its own besides, so that it takes neither people's part nor the other's. */
const OWN_SHARES = { bulk: 0.16, refresh: 0.25, background: 0.08 } as const;
/** Such a part is spread over the window in this many pieces. */
const PIECES = 4;
/** A look at the balance takes two calls, so a piece has room for two. */
const LEAST_OF_A_PIECE = 2;

/** What a share of a limit comes to, in whole seconds and in pieces as small as still have room for one look. */
export function pieceOf(limit: Limit, share: number): Limit {
  const pieces = Math.max(1, Math.min(PIECES, Math.floor((limit.requests * share) / LEAST_OF_A_PIECE)));
  return {
    requests: Math.max(1, Math.floor((limit.requests * share) / pieces)),
    seconds: Math.ceil(limit.seconds / pieces),
  };
}

/** How much of a key's calls is used in the window that runs now. */
export interface Spent {
  readonly used: number;
  readonly limit: Limit;
  /** How long (ms) until the window ends; 0 where none runs. */
  readonly endsInMs: number;
}

/** Looks at the budget of a key without taking a call from it. Throws what Redis or the connection says. */
export function createSpent(redis: RedisConnection, apiKey: string, limit: Limit): () => Promise<Spent> {
  const { requests: points, seconds: duration } = limit;
  const all = new RateLimiterRedis({ points, duration, keyPrefix: budgetKeys.all, storeClient: redis });
  return async () => {
    const found = await all.get(accountOf(apiKey));
    return { used: found?.consumedPoints ?? 0, limit, endsInMs: Math.max(0, found?.msBeforeNext ?? 0) };
  };
}

/** What tells one API key from another in Redis, without naming it. */
export function accountOf(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('base64url').slice(0, 22);
}

/**
 * Without Redis each process counts for itself, so that reading goes on while Redis is down.
 * The key is known to Redis only by its hash.
 */
export function createBudget(redis: RedisConnection, apiKey: string, limit: Limit): Budget {
  const account = accountOf(apiKey);
  const limiterOf = ({ requests, seconds }: Limit, keyPrefix: string): RateLimiterRedis => {
    const options = { points: requests, duration: seconds, keyPrefix };
    return new RateLimiterRedis({
      ...options,
      storeClient: redis,
      insuranceLimiter: new RateLimiterMemory(options),
      rejectIfRedisNotReady: true,
    });
  };
  const all = limiterOf(limit, budgetKeys.all);
  const background = limiterOf(pieceOf(limit, OWN_SHARES.background), budgetKeys.of('background'));
  const bulk = limiterOf(pieceOf(limit, OWN_SHARES.bulk), budgetKeys.of('bulk'));
  const refresh = limiterOf(pieceOf(limit, OWN_SHARES.refresh), budgetKeys.of('refresh'));
  /** The part of each who has one. */
  const own: Readonly<Partial<Record<Turn, RateLimiterRedis>>> = {
    bulk,
    refresh,
    background,
    continued: background,
  };

  /** Counts one call; gives 0, or how long (ms) until there is room for it. */
  const consume = async (limiter: RateLimiterRedis): Promise<number> => {
    try {
      await limiter.consume(account);
      return 0;
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return Math.max(refused.msBeforeNext, 1);
      throw refused;
    }
  };

  const turn = async (kind: Turn): Promise<number> => {
    if (kind !== 'write') {
      const most = Math.floor(limit.requests * SHARES[kind]);
      const used = await all.get(account);
      if (used && used.consumedPoints >= most && used.msBeforeNext > 0) return used.msBeforeNext;
    }
    const limiter = own[kind];
    const ownWaitMs = limiter ? await consume(limiter) : 0;
    return ownWaitMs > 0 ? ownWaitMs : consume(all);
  };

  return {
    take: async (kind, doing, patienceMs) => {
      let left = patienceMs;
      for (let waitMs = await turn(kind); waitMs > 0; waitMs = await turn(kind)) {
        if (waitMs > left) {
          throw new HostingError(doing, {
            fault: 'rate-limited',
            outcome: 'not-done',
            retryable: true,
            retryAfterMs: Math.max(waitMs, SHORTEST_WAIT_MS),
          });
        }
        left -= waitMs;
        await wait(waitMs);
      }
    },
    pause: async (waitMs) => {
      // The library takes a block of zero seconds for one without end.
      if (waitMs <= 0) return;
      await all.block(account, Math.ceil(waitMs / 1000)).catch(() => undefined);
    },
  };
}
