import type { RedisConnection } from './connection.ts';

const AT_ONCE = 500;

/** Erases every key that begins so, on a connection without a prefix of its own. Throws what Redis throws. */
export async function eraseKeys(redis: RedisConnection, begin: string): Promise<void> {
  const pattern = `${begin.replaceAll(/[\\*?[\]]/g, '\\$&')}*`;
  for (let cursor = '0', isOver = false; !isOver;) {
    const [next, keys] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', AT_ONCE);
    if (keys.length > 0) await redis.unlink(...keys);
    cursor = next;
    isOver = cursor === '0';
  }
}
