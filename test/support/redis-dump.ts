import { Redis } from 'ioredis';
import { valueOf } from '../../sandbox/store/snapshot.ts';

/** What a Redis has under the keys whose names match, and its time, a line each: it says why something never came. */
export async function dumpOf(url: string, names: RegExp): Promise<string> {
  const redis = new Redis(url);
  try {
    const keys = (await redis.keys('*')).filter((key) => names.test(key)).toSorted();
    const [seconds] = await redis.time();
    const lines = await Promise.all(
      keys.map(async (key) => `${key} ${JSON.stringify((await valueOf(redis, key))?.value)}`),
    );
    return [`at ${seconds}`, ...lines].join('\n');
  } finally {
    redis.disconnect();
  }
}
