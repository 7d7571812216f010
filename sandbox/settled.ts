import type { Redis } from 'ioredis';
import { operationKeys } from '../src/core/operations/keys.ts';
import { type BoardView, nextBoardSteps } from '../src/core/boards/board.ts';
import { createBoardStore } from '../src/core/boards/board-store.ts';
import { batchKeys } from '../src/core/batches/keys.ts';
import { boardKeys } from '../src/core/boards/keys.ts';
import { outboxKeys } from '../src/core/outbox/keys.ts';
import { createPostStore } from '../src/core/outbox/outbox.ts';
import { nextStep } from '../src/core/outbox/outbox-message.ts';
import { contentKeyOf, type Post } from '../src/core/outbox/post.ts';
import { requestKeys } from '../src/core/ask/keys.ts';
import { TIMINGS } from '../src/core/timings.ts';
import type { SlackDouble } from './slack/index.ts';

const POLL_EVERY_MS = 20;

/** Resolves when `count` gives nothing any more, by what reads each account's keys. */
export async function untilNone(
  count: (redis: Redis) => Promise<number>,
  readers: ReadonlyMap<string, Redis>,
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

/** How many requests and operations are open, boards that don't show everything yet, and messages that nobody has tried to send. */
export async function countOpen(redis: Redis): Promise<number> {
  const open = await Promise.all(
    [requestKeys.open, operationKeys.open, batchKeys.open].map((index) => redis.zcard(index)),
  );
  const count = open.reduce((one, other) => one + other, 0);
  if (count > 0) return count;
  const boards = await redis.zrange(boardKeys.open, '0', '-1');
  const store = createBoardStore(redis, TIMINGS, { now: Date.now });
  const views = await Promise.all(boards.map((id) => store.read(id)));
  const isQuiet = (view: BoardView | undefined): boolean =>
    !view || nextBoardSteps(view, TIMINGS).every(({ step }) => step.do === 'close');
  return views.filter((view) => !isQuiet(view)).length + (await countUntried(redis));
}

/** How many messages that stand by themselves have not left for Slack yet as they are. What Slack refused may be tried for a day. */
export async function countUntried(redis: Redis): Promise<number> {
  const ids = await redis.zrange(outboxKeys.open, '0', '-1');
  const store = createPostStore(redis, TIMINGS);
  const posts = await Promise.all(ids.map((id) => store.find(id)));
  return posts.filter((post) => post && isUntried(post)).length;
}

function isUntried(post: Post): boolean {
  const step = nextStep(post.message, contentKeyOf(post));
  return (step === 'post' || step === 'edit') && post.message.tries === 0;
}
