import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { createIndexedRecords, type IndexedRecords } from '../../platform/redis/indexed-records.ts';
import { outboxKeys } from './keys.ts';
import type { Timings } from '../timings.ts';
import { newPost, nextOf, type NewPost, type Post, postSchema } from './post.ts';

/** Messages that stand by themselves: each is written down whole and goes out by a job of its own. */
export interface Outbox {
  /** Has a message posted, once for its id. Resolves once it is written down. */
  post(wanted: NewPost): Promise<void>;
}

export type PostStore = IndexedRecords<Post>;

export const POST_JOB = 'outbox.post';

/** As long as the same id may come again. */
const KEPT_MS = 7 * 24 * 3_600_000;

export function createPostStore(redis: RedisConnection, timings: Timings): PostStore {
  return createIndexedRecords(redis, {
    keyOf: outboxKeys.post,
    index: outboxKeys.open,
    schema: postSchema,
    dueAt: (post) => nextOf(post, timings)?.dueAt ?? 'closed',
    keptMs: KEPT_MS,
  });
}

export function createOutbox(deps: { posts: PostStore; queue: WorkQueue; clock: RedisClock }): Outbox {
  const { posts, queue, clock } = deps;
  return {
    post: async (wanted) => {
      await posts.create(wanted.id, newPost(wanted, clock.now()));
      // What could not be woken is found by the sweep.
      await queue.wake(POST_JOB, wanted.id).catch(() => undefined);
    },
  };
}
