import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Keeps one person from being everybody's wait. Each process counts for itself: this needs no exact figure. */
export interface RateLimit {
  /** Undefined while the person may ask; else how long to wait, and whether this is the first no of that wait. */
  check(userId: string): Promise<{ waitMs: number; isFirst: boolean } | undefined>;
}

export function createRateLimit(asksPerMinute: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: asksPerMinute, duration: 60 });
  return {
    check: async (userId) => {
      try {
        await limiter.consume(userId);
        return undefined;
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        return { waitMs: refused.msBeforeNext, isFirst: refused.consumedPoints === asksPerMinute + 1 };
      }
    },
  };
}
