import type { RedisConnection } from '../platform/redis/connection.ts';
import { key } from '../platform/redis/key.ts';
import { DAY_MS } from '../platform/time/duration.ts';

const LAST = key('heartbeat', 'taken');
const KEPT_MS = DAY_MS;

/** Keeps when the monitor outside took a call. `at`: Redis' clock, Unix ms. Throws what Redis throws. */
export async function keepLastBeat(redis: RedisConnection, at: number): Promise<void> {
  await redis.set(LAST, String(at), 'PX', KEPT_MS);
}

/** When it took one last; undefined where it didn't within a day. Throws what Redis throws. */
export async function findLastBeat(redis: RedisConnection): Promise<number | undefined> {
  const at = await redis.get(LAST);
  return at === null ? undefined : Number(at);
}
