import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { type Commit, commit, together } from '../records/commit.ts';
import { NONE, unchanged } from '../records/conditions.ts';
import { readRecord, type RecordKind, type Records, writesOf } from '../records/records.ts';
import type { Woken } from '../records/job.ts';
import { key } from '../../platform/redis/key.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Timings } from '../timings.ts';
import {
  edited,
  type NewContent,
  newPost,
  nextOf,
  type NewPost,
  type Post,
  postSchema,
  type Standing,
  standingOf,
} from './post.ts';

/** Messages that stand by themselves: each is written down whole and goes out by a job of its own. */
export interface Outbox {
  /**
   * What a commit has to be written with, so that it says this: each message once for its id. By `code` it isn't written, where
   * one of them was moved meanwhile; then this is to be asked for again. Two of one id are one message: a new one, or other content
   * where it is there already.
   */
  saying<Code extends string>(said: readonly Said[], code: Code): Promise<Commit<Code>>;
  /** Has a message posted, once for its id, together with what `beside` gives. Resolves once it is written down. */
  post(wanted: NewPost, beside?: () => Promise<Commit<'moved'>>): Promise<void>;
  /**
   * Shows other content in a message, wherever it is by now. Nothing where there is none of that id, or where it shows the
   * content of that `order` or of a higher one.
   */
  edit(id: string, content: Message, order?: number): Promise<void>;
  /** Where a message stands, or why it never will (Slack's code); undefined where there is none of that id. */
  find(id: string): Promise<Standing | undefined>;
}

/** A message that is to be posted, or other content for one that is there. */
export type Said = NewPost | (NewContent & { readonly isEdit: true });

export type PostStore = Records<Post>;

/** Messages that are to be posted, and those that stand, which may be edited. */
export const POSTS = {
  job: 'outbox.post',
  keyOf: (id: string) => key('post', id),
  index: key('posts', 'open'),
  schema: postSchema,
  // As long as the same id may come again.
  keptMs: 7 * 24 * 3_600_000,
} satisfies Omit<RecordKind<Post>, 'dueAt'> & Woken;

/** The same with when the next step of one is due. */
export function postsBy(timings: Timings): RecordKind<Post> {
  return { ...POSTS, dueAt: (post) => nextOf(post, timings)?.dueAt ?? 'closed' };
}

export function createOutbox(deps: {
  readonly redis: RedisConnection;
  readonly queue: WorkQueue;
  readonly clock: RedisClock;
  readonly timings: Timings;
}): Outbox {
  const { redis, queue, clock } = deps;
  const kind = postsBy(deps.timings);
  const sayOne = async <Code extends string>(said: Said, code: Code): Promise<Commit<Code>> => {
    const { id } = said;
    const there = await readRecord(redis, kind, id);
    const next = saidAs(said, there?.record, clock.now());
    // It says that already, whatever becomes of it meanwhile.
    if (there && !next) return {};
    const version = there?.version ?? NONE;
    return {
      if: [unchanged(kind.keyOf(id), version, code)],
      write: next && writesOf(kind, id, version, next),
      wake: next && (() => queue.wake(POSTS.job, id)),
    };
  };
  const saying: Outbox['saying'] = async (said, code) =>
    together(...(await Promise.all(said.map((one) => sayOne(one, code)))));
  const sayNow = async (said: Said, beside = async (): Promise<Commit<'moved'>> => ({})): Promise<void> => {
    const both = async (): Promise<Commit<'moved'>> =>
      together(await saying([said], 'moved'), await beside());
    while ((await commit(redis, await both())).result === 'moved');
  };
  return {
    saying,
    post: sayNow,
    edit: (id, content, order) => sayNow({ id, content, order, isEdit: true }),
    find: async (id) => {
      const found = await readRecord(redis, kind, id);
      return found && standingOf(found.record);
    },
  };
}

/** The post once this is said; undefined where it says that already, or there is none to edit. Pure. */
function saidAs(said: Said, there: Post | undefined, now: number): Post | undefined {
  if ('isEdit' in said) return there && edited(there, said, now);
  return there ? undefined : newPost(said, now);
}
