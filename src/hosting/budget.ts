import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { HostingError } from '../errors.ts';
import { keys } from '../redis/keys.ts';
import type { RedisConnection } from '../redis/connection.ts';

/** One rate budget for each API key, shared by every process that uses it. */
export interface Budget {
  /** Waits for a call's turn. Throws a HostingError (rate-limited, not done) when none comes within `patienceMs`. */
  take(kind: 'read' | 'write', doing: string, patienceMs: number): Promise<void>;
  /** The service itself said 429: nobody calls before `waitMs` have passed. */
  pause(waitMs: number): Promise<void>;
}

/** The part of the budget that reads may not touch, so that rendering never starves a power action. */
const KEPT_FOR_WRITES = 0.15;

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
  const forReads = Math.floor(limit.requests * (1 - KEPT_FOR_WRITES));

  const turn = async (kind: 'read' | 'write'): Promise<number> => {
    if (kind === 'read') {
      const used = await limiter.get(account);
      if (used && used.consumedPoints >= forReads && used.msBeforeNext > 0) return used.msBeforeNext;
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
