import type { RedisConnection } from './connection.ts';
import { loadScript } from './script.ts';

const release = loadScript(new URL('./release-lock.lua', import.meta.url));

/**
 * Takes a lock for `keptMs`; false while somebody else has it. `owner` is new for each who asks: the driver sends again what it
 * has no answer to, and what it took the first time is its own.
 */
export async function takeLock(
  redis: RedisConnection,
  key: string,
  owner: string,
  keptMs: number,
): Promise<boolean> {
  return (await redis.set(key, owner, 'PX', keptMs, 'NX')) === 'OK' || (await redis.get(key)) === owner;
}

/** Gives a lock back, unless it ended meanwhile and is somebody else's by now. */
export async function releaseLock(redis: RedisConnection, key: string, owner: string): Promise<void> {
  await release(redis, [key], [owner]);
}
