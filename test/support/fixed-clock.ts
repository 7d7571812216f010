import type { RedisClock } from '../../src/platform/redis/clock.ts';

/** A clock that shows what `now` gives, and has Redis' time always. */
export function fixedClock(now: () => number): RedisClock {
  return { now, atRedis: (at) => at, isSet: () => true, look: async () => undefined, stop: () => undefined };
}
