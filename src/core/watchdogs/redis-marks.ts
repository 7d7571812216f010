import { z } from 'zod';
import { newId } from '../../platform/id.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { surviving } from '../../platform/redis/survive.ts';
import { key } from '../../platform/redis/key.ts';

export const redisKeys = {
  /** Which Redis this is: another identity, or none, is another or an empty Redis. */
  identity: key('redis', 'identity'),
  /** How often any process has looked, ever: fewer than before, and an older Redis has come back. */
  checks: key('redis', 'checks'),
  /** Who tells the admins that the data before this one is lost. */
  reported: (identity: string): string => key('redis', identity, 'reported'),
} as const;

/** By what a Redis is known again. */
export interface RedisMarks {
  /** Another than before: it came back empty. */
  readonly identity: string;
  /** How often it was looked at, ever: no more than before, and an older one has come back. */
  readonly checks: number;
  /** How many connections to it this process has made by now. */
  readonly connections: number;
}

/** The same as it stands outside of Redis: the beginning of its identity. */
export type RedisMark = Pick<RedisMarks, 'identity' | 'checks'>;

const MARK_LENGTH = 8;

/** What is told of Redis outside of it, to compare with later. Pure. */
export function markOf({ identity, checks }: RedisMarks): RedisMark {
  return { identity: identity.slice(0, MARK_LENGTH), checks };
}

const readSchema = z.tuple([z.string().nullable(), z.number()]);

/**
 * Looks at the marks, and gives a Redis without one its own: one look for all accounts that ask in the same turn of the event loop.
 * Gives undefined where nobody can say which Redis it is; throws what Redis throws.
 */
export function createRedisMarks(redis: RedisConnection): () => Promise<RedisMarks | undefined> {
  let connections = 0;
  redis.on('ready', () => {
    connections += 1;
  });
  let identity: string | undefined;
  const look = async (): Promise<RedisMarks | undefined> => {
    // Of the same moment: a Redis that is emptied between the two would be one that is older, and then one that is empty.
    const read = await redis.multi().get(redisKeys.identity).incr(redisKeys.checks).exec();
    for (const [error] of read ?? []) if (error) throw error;
    const [standing, checks] = readSchema.parse(read?.map(([, value]) => value));
    const isKnown = standing !== null && standing === identity;
    const now = isKnown ? standing : await claim(redis, redisKeys.identity, newId());
    if (now === null) return undefined;
    identity = now;
    return { identity, checks, connections };
  };
  let looking: ReturnType<typeof look> | undefined;
  return () => {
    if (looking) return looking;
    looking = look();
    setImmediate(() => {
      looking = undefined;
    });
    return looking;
  };
}

/**
 * Sets `value` where nothing stands yet, and gives what stands there: the same however often an answer is lost, and whatever takes
 * over from this Redis.
 */
export async function claim(
  redis: RedisConnection,
  mark: string,
  value: string,
  keptMs?: number,
): Promise<string | null> {
  const survives = surviving(redis);
  if ((await redis.get(mark)) === null)
    await (keptMs === undefined ? redis.set(mark, value, 'NX') : redis.set(mark, value, 'PX', keptMs, 'NX'));
  const standing = await redis.get(mark);
  await survives();
  return standing;
}
