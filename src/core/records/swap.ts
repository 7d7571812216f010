import type { SwapRecord } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { commit } from './commit.ts';
import { unchanged } from './conditions.ts';
import { record } from './writes.ts';

/** Puts a record in place of the version it was made from, for what stands below all records: the clock. */
export function createSwap(redis: RedisConnection): SwapRecord {
  return async (key, version, next, text) => {
    const swapping = { if: [unchanged(key, version, 'moved')], write: [record(key, next, text)] };
    return (await commit(redis, swapping)).result === 'written';
  };
}
