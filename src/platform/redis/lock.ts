import type { RedisConnection } from './connection.ts';
import { newId } from '../id.ts';
import { loadScript } from './script.ts';

const lock = loadScript(new URL('./lock.lua', import.meta.url));

/**
 * Takes a lock for `keptMs`; false while somebody else has it whose name doesn't begin with `givesWay`. `owner` is new for each who
 * asks: the driver sends again what it has no answer to, and what it took the first time is its own.
 */
export async function takeLock(
  redis: RedisConnection,
  key: string,
  owner: string,
  keptMs: number,
  givesWay = '',
): Promise<boolean> {
  return (await lock(redis, [key], [owner, keptMs, 'take', givesWay])) === 1;
}

/** Keeps a lock for `keptMs` from now on; false where it ended meanwhile and is nobody's or somebody else's by now. */
export async function keepLock(
  redis: RedisConnection,
  key: string,
  owner: string,
  keptMs: number,
): Promise<boolean> {
  return (await lock(redis, [key], [owner, keptMs, '', ''])) === 1;
}

/** Gives a lock back, unless it ended meanwhile and is somebody else's by now. */
export async function releaseLock(redis: RedisConnection, key: string, owner: string): Promise<void> {
  await lock(redis, [key], [owner, 0, '', '']);
}

/** Does `work` while nobody else has the lock, for at most `keptMs`; nothing where somebody has it. Throws what Redis or `work` throws. */
export async function whileLocked(
  redis: RedisConnection,
  key: string,
  keptMs: number,
  work: () => Promise<void>,
): Promise<void> {
  const owner = newId();
  if (!(await takeLock(redis, key, owner, keptMs))) return;
  try {
    await work();
  } finally {
    await releaseLock(redis, key, owner);
  }
}
