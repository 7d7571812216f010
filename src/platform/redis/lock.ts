import type { RedisConnection } from './connection.ts';
import { loadScript } from './script.ts';

const keep = loadScript(new URL('./keep-lock.lua', import.meta.url));

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

/** Keeps a lock for `keptMs` from now on; false where it ended meanwhile and is nobody's or somebody else's by now. */
export async function keepLock(
  redis: RedisConnection,
  key: string,
  owner: string,
  keptMs: number,
): Promise<boolean> {
  return (await keep(redis, [key], [owner, keptMs])) === 1;
}

/** Gives a lock back, unless it ended meanwhile and is somebody else's by now. */
export async function releaseLock(redis: RedisConnection, key: string, owner: string): Promise<void> {
  await keep(redis, [key], [owner, 0]);
}
