import { POSTS } from '../outbox/outbox.ts';
import { operationKeys } from '../operations/keys.ts';
import { requestKeys } from '../ask/keys.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';

/** What is worked on behind the queues, each by an index of when its next step is due. */
const INDEXES = {
  request: requestKeys.open,
  operation: operationKeys.open,
  poll: operationKeys.polled,
  message: POSTS.index,
} as const;

/** The one of a kind whose next step is due first. `dueAt`: Redis' clock, Unix ms; it may lie ahead. */
export interface OldestDue {
  readonly kind: keyof typeof INDEXES;
  readonly dueAt: number;
}

/** Of each kind the first that is due, where there is any. Throws what Redis or the connection says. */
export async function listOldestDue(redis: RedisConnection): Promise<readonly OldestDue[]> {
  const kinds = Object.keys(INDEXES) as OldestDue['kind'][];
  const found = await Promise.all(
    kinds.map(async (kind): Promise<OldestDue[]> => {
      // What is to be done at once has 0 there, which is no time that it has waited since.
      const [, score] = await redis.zrangebyscore(INDEXES[kind], '(0', '+inf', 'WITHSCORES', 'LIMIT', 0, 1);
      const dueAt = Number(score);
      return score === undefined || !Number.isFinite(dueAt) ? [] : [{ kind, dueAt }];
    }),
  );
  return found.flat();
}
