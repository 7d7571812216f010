import { createRecords } from '../src/core/records/records.ts';
import type { RedisConnection } from '../src/platform/redis/connection.ts';
import { operationKeys } from '../src/core/operations/keys.ts';
import { type BoardView, nextBoardSteps } from '../src/core/boards/board.ts';
import { createBoardStore, BOARDS } from '../src/core/boards/board-store.ts';
import { BATCHES } from '../src/core/batches/batch-store.ts';
import { POSTS, postsBy } from '../src/core/outbox/outbox.ts';
import { contentKeyOf, nextOf, type Post } from '../src/core/outbox/post.ts';
import { requestKeys } from '../src/core/ask/ask.ts';
import { SCHEDULES } from '../src/core/schedules/schedule-store.ts';
import { scheduleSchema, isShownOtherwise } from '../src/core/schedules/schedule-record.ts';
import { TIMINGS } from '../src/core/timings.ts';
import type { SlackDouble } from './slack/index.ts';

const POLL_EVERY_MS = 20;

/** Resolves when `count` gives nothing any more, by what reads each account's keys. */
export async function untilNone(
  count: (redis: RedisConnection) => Promise<number>,
  readers: ReadonlyMap<string, RedisConnection>,
  slack: SlackDouble,
  limitMs: number,
): Promise<void> {
  const until = performance.now() + limitMs;
  const countAll = async (): Promise<number> => {
    const counts = await Promise.all([...readers.values()].map(count));
    return counts.reduce((one, other) => one + other, 0);
  };
  while ((await countAll()) > 0) {
    if (performance.now() > until) throw new Error(`not settled after ${limitMs} ms\n${slack.dump()}`);
    await new Promise((done) => {
      setTimeout(done, POLL_EVERY_MS);
    });
  }
}

/** How many requests and operations are open, cards and boards that don't show everything yet, and messages that nobody has tried to send. */
export async function countOpen(redis: RedisConnection): Promise<number> {
  const open = await Promise.all(
    [requestKeys.open, operationKeys.open, BATCHES.index].map((index) => redis.zcard(index)),
  );
  const count = open.reduce((one, other) => one + other, 0);
  if (count > 0) return count;
  const boards = await redis.zrange(BOARDS.index, '0', '-1');
  const store = createBoardStore(redis, TIMINGS, { now: Date.now });
  const views = await Promise.all(boards.map((id) => store.read(id)));
  const isQuiet = (view: BoardView | undefined): boolean =>
    !view || nextBoardSteps(view, TIMINGS).every(({ step }) => step.do === 'close');
  const unquiet = views.filter((view) => !isQuiet(view)).length;
  return unquiet + (await countUnshown(redis)) + (await countUntried(redis));
}

/** How many schedules have something new that the card of what they turn around doesn't show yet. */
async function countUnshown(redis: RedisConnection): Promise<number> {
  const due = await redis.zrangebyscore(SCHEDULES.index, '-inf', Date.now());
  const records = await Promise.all(due.map((id) => redis.hget(SCHEDULES.keyOf(id), 'record')));
  const schedules = records.flatMap((record) =>
    record === null ? [] : [scheduleSchema.parse(JSON.parse(record))],
  );
  return schedules.filter(isShownOtherwise).length;
}

/**
 * How many messages that stand by themselves are still to be sent as they are, stand on their way, or are to be closed: who hears that
 * one reached nobody may say something in its place. What Slack refused may be tried for a day.
 */
export async function countUntried(redis: RedisConnection): Promise<number> {
  const ids = await redis.zrange(POSTS.index, '0', '-1');
  const store = createRecords(redis, postsBy(TIMINGS));
  const posts = await Promise.all(ids.map((id) => store.find(id)));
  return posts.filter((post) => post && isUntried(post)).length;
}

function isUntried(post: Post): boolean {
  const next = nextOf(post, TIMINGS);
  if (next?.step === 'close') return true;
  const isShown = post.message.shown === contentKeyOf(post);
  // An edit or a look for duplicates that only makes sure of what stands there comes seconds later.
  return next !== undefined && !(post.message.state === 'sent' && isShown) && post.message.tries === 0;
}
