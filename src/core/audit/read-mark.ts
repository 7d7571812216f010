import type { RedisConnection } from '../../platform/redis/connection.ts';
import { type Mark, START } from './chain.ts';

/** A mark of the chain; START where there is none. */
export async function readMark(redis: RedisConnection, key: string): Promise<Mark> {
  const [seq, hash] = await redis.hmget(key, 'seq', 'hash');
  return typeof seq === 'string' && typeof hash === 'string' ? { seq: Number(seq), hash } : START;
}
