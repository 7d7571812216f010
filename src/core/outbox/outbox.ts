import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { createRecords, type Records } from '../records/records.ts';
import { outboxKeys } from './keys.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Timings } from '../timings.ts';
import { edited, newPost, nextOf, type NewPost, type Post, postSchema } from './post.ts';

/** Messages that stand by themselves: each is written down whole and goes out by a job of its own. */
export interface Outbox {
  /** Has a message posted, once for its id. Resolves once it is written down. */
  post(wanted: NewPost): Promise<void>;
  /**
   * Shows other content in a message, wherever it is by now. Nothing where there is none of that id, or where it shows the
   * content of that `order` or of a higher one.
   */
  edit(id: string, content: Message, order?: number): Promise<void>;
  /** Where a message stands, or why it never will (Slack's code); undefined where there is none of that id. */
  find(id: string): Promise<Standing | undefined>;
}

/** Whether a message has come to where it was to go. */
export type Standing =
  | { readonly state: 'on its way' }
  | { readonly state: 'stands'; readonly channelId: string; readonly ts: string }
  | { readonly state: 'given up'; readonly fault: string | undefined };

export type PostStore = Records<Post>;

export const POST_JOB = 'outbox.post';

/** As long as the same id may come again. */
const KEPT_MS = 7 * 24 * 3_600_000;

export function createPostStore(redis: RedisConnection, timings: Timings): PostStore {
  return createRecords(redis, {
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
    edit: async (id, content, order) => {
      if (await posts.change(id, (post) => edited(post, content, order))) await wake(id);
    },
    find: async (id) => {
      const post = await posts.find(id);
      return post && standingOf(post);
    },
  };
}

function standingOf({ message: { state, channelId, ts, fault } }: Post): Standing {
  if (state === 'dead-lettered') return { state: 'given up', fault };
  return state === 'sent' && channelId !== undefined && ts !== undefined
    ? { state: 'stands', channelId, ts }
    : { state: 'on its way' };
}
