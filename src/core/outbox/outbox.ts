import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { createIndexedRecords, type IndexedRecords } from '../../platform/redis/indexed-records.ts';
import { outboxKeys } from './keys.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Timings } from '../timings.ts';
import { edited, newPost, nextOf, type NewPost, type Post, postSchema } from './post.ts';

/** Messages that stand by themselves: each is written down whole and goes out by a job of its own. */
export interface Outbox {
  /** Has a message posted, once for its id. Resolves once it is written down. */
  post(wanted: NewPost): Promise<void>;
  /** Shows other content in a message, wherever it is by now. Nothing where there is none of that id. */
  edit(id: string, content: Message): Promise<void>;
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
  // What could not be woken is found by the sweep.
  const wake = (id: string): Promise<void> => queue.wake(POST_JOB, id).catch(() => undefined);
  return {
    post: async (wanted) => {
      await posts.create(wanted.id, newPost(wanted, clock.now()));
      await wake(wanted.id);
    },
    edit: async (id, content) => {
      if (await posts.change(id, (post) => edited(post, content))) await wake(id);
    },
  };
}
