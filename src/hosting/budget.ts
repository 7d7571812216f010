import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { HostingError } from '../errors.ts';
import { keys } from '../redis/keys.ts';
import type { RedisConnection } from '../redis/connection.ts';

/** One of very many reads, a person's read, a look at what is under way, or a write: the later ones come first. */
export type Turn = 'bulk' | 'read' | 'look' | 'write';

/** One rate budget for each API key, shared by every process that uses it. */
export interface Budget {
  /** Waits for a call's turn. Throws a HostingError (rate-limited, not done) when none comes within `patienceMs`. */
  take(kind: Turn, doing: string, patienceMs: number): Promise<void>;
  /** The service itself said 429: nobody calls before `waitMs` have passed. */
  pause(waitMs: number): Promise<void>;
}

/** How much of the budget each may use up, so that a long list never starves rendering, nor that a power action or its end. */
const SHARES: Readonly<Record<Turn, number>> = { bulk: 0.5, read: 0.85, look: 0.95, write: 1 };

/**
 * Without Redis each process counts for itself, so that reading goes on while Redis is down.
 * The key is known to Redis only by its hash.
 */
export function createBudget(
  redis: RedisConnection,
  apiKey: string,
  limit: { requests: number; seconds: number },
): Budget {
  const account = createHash('sha256').update(apiKey).digest('base64url').slice(0, 22);
  const options = { points: limit.requests, duration: limit.seconds, keyPrefix: keys.budget };
  const limiter = new RateLimiterRedis({
    ...options,
    storeClient: redis,
    insuranceLimiter: new RateLimiterMemory(options),
    rejectIfRedisNotReady: true,
  });

  const turn = async (kind: Turn): Promise<number> => {
    if (kind !== 'write') {
      const most = Math.floor(limit.requests * SHARES[kind]);
      const used = await limiter.get(account);
      if (used && used.consumedPoints >= most && used.msBeforeNext > 0) return used.msBeforeNext;
    }
    try {
      await limiter.consume(account);
      return 0;
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return Math.max(refused.msBeforeNext, 1);
      throw refused;
    }
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
            retryAfterMs: waitMs,
          });
        }
        left -= waitMs;
        await wait(waitMs);
      }
    },
    pause: async (waitMs) => {
      // The library takes a block of zero seconds for one without end.
      if (waitMs <= 0) return;
      await limiter.block(account, Math.ceil(waitMs / 1000)).catch(() => undefined);
    },
  };
}
