import type { RedisConnection } from './connection.ts';

const AT_ONCE = 500;

/**
 * Erases every key that begins so, on a connection without a prefix of its own. `erase` erases some of them; by false it ends there, and
 * so does this. Throws what Redis throws.
 */
export async function eraseKeys(
  redis: Pick<RedisConnection, 'scan'>,
  begin: string,
  erase: (keys: readonly string[]) => Promise<boolean>,
): Promise<void> {
  const pattern = `${begin.replaceAll(/[\\*?[\]]/g, '\\$&')}*`;
  for (let cursor = '0', isOver = false; !isOver;) {
    const [next, keys] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', AT_ONCE);
    if (keys.length > 0 && !(await erase(keys))) return;
    cursor = next;
    isOver = cursor === '0';
  }
}
