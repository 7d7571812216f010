import type { RedisConnection } from '../../platform/redis/connection.ts';
import { type Mark, START } from './chain.ts';
import { auditKeys } from './keys.ts';

/** The newest entry, on which the next one comes. A script refuses what does not come on it. */
export interface Head {
  /** It is not read where nobody but this process has written for its last two entries; it may be outdated then. */
  find(redis: RedisConnection): Promise<Mark>;
  /** This process has written `mark`. */
  wrote(mark: Mark): void;
  /** What `find` gave was not the newest entry. */
  wasOutdated(): void;
}

/** What the connections of one process know together of the newest entry. */
export function createHead(): Head {
  let last: Mark | undefined;
  let isAlone = false;
  return {
    find: async (redis) => {
      if (isAlone && last) return last;
      const found = await readMark(redis, auditKeys.head);
      isAlone = found.hash === last?.hash;
      return found;
    },
    wrote: (mark) => {
      last = mark;
    },
    wasOutdated: () => {
      isAlone = false;
    },
  };
}

/** A mark of the chain; START where there is none. */
export async function readMark(redis: RedisConnection, key: string): Promise<Mark> {
  const [seq, hash] = await redis.hmget(key, 'seq', 'hash');
  return typeof seq === 'string' && typeof hash === 'string' ? { seq: Number(seq), hash } : START;
}
