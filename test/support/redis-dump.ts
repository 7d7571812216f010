import { Redis } from 'ioredis';

/** What a Redis has under the keys whose names match, and its time, a line each: it says why something never came. */
export async function dumpOf(url: string, names: RegExp): Promise<string> {
  const redis = new Redis(url);
  try {
    const keys = (await redis.keys('*')).filter((key) => names.test(key)).toSorted();
    const [seconds] = await redis.time();
    const lines = await Promise.all(
      keys.map(async (key) => `${key} ${JSON.stringify(await valueOf(redis, key))}`),
    );
    return [`at ${seconds}`, ...lines].join('\n');
  } finally {
    redis.disconnect();
  }
}

async function valueOf(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  if (type === 'hash') return redis.hgetall(key);
  if (type === 'zset') return redis.zrange(key, '0', '-1', 'WITHSCORES');
  if (type === 'list') return redis.lrange(key, 0, -1);
  return type === 'string' ? redis.get(key) : type;
}
