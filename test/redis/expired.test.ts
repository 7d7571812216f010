import { createRecords } from '../../src/core/records/records.ts';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { boardKeys, createBoardStore } from '../../src/core/boards/board-store.ts';
import { POSTS, postsBy } from '../../src/core/outbox/outbox.ts';
import { newPost } from '../../src/core/outbox/post.ts';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { play, readAll, runToEnd } from '../support/sandbox.ts';
import { type Database, takeDatabase } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';

const DAY_MS = 24 * 3_600_000;

let database: Database;
let redis: Redis;

beforeAll(async () => {
  database = await takeDatabase();
  redis = new Redis(database.url);
});

afterAll(() => {
  redis.disconnect();
  database.release();
});

it('an open record expires where nobody moves it any more, and is not due then', async () => {
  const posts = createRecords(redis, postsBy(TIMINGS));
  const post = (id: string): Promise<unknown> =>
    posts.create(id, newPost({ id, to: { userId: 'U0ANA000001' }, content: { lines: [] } }, 1));
  await post('one');
  await post('two');
  const keptMs = await redis.pttl(POSTS.keyOf('one'));
  expect(keptMs).toBeGreaterThan(29 * DAY_MS);
  expect(keptMs).toBeLessThanOrEqual(30 * DAY_MS);
  expect(await posts.listDue(2)).toEqual(['one', 'two']);
  // As it is once it has expired.
  await redis.del(POSTS.keyOf('one'));
  expect(await posts.listDue(2)).toEqual(['two']);
  expect(await redis.zrange(POSTS.index, '0', '-1')).toEqual(['two']);
});

it('a line that is marked on a board that has expired leaves nothing', async () => {
  const boards = createBoardStore(redis, TIMINGS, { now: Date.now });
  await boards.markRows('a-board', ['an-operation'], 'reported');
  expect(await redis.exists(boardKeys.rows('a-board'))).toBe(0);
});

/** The keys of one operation and of the lock of its instance, and how long they are kept. */
async function keptMsOf(own: Redis): Promise<Record<string, number>> {
  const keys = [
    ...(await own.keys(operationKeys.operation('*'))),
    ...(await own.keys(operationKeys.lock('*'))),
  ];
  const found = keys.filter((one) => one !== operationKeys.open && one !== operationKeys.polled);
  return Object.fromEntries(
    await Promise.all(found.map(async (one) => [one.split(':')[1], await own.pttl(one)] as const)),
  );
}

async function withOpenRestart(): Promise<{ sandbox: Sandbox; own: Redis }> {
  const sandbox = await play({ timings: { patienceMs: 60_000, slowAfterMs: 60_000 } });
  sandbox.hosting.setBehavior(101, { powerMs: 60_000 });
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('It reports restarting'));
  return { sandbox, own: new Redis(sandbox.redisUrl) };
}

it('an operation and its lock are kept for 30 days where no bot brings them to an end, and no instance is busy after that', async () => {
  const { sandbox, own } = await withOpenRestart();
  await sandbox.stopBots();
  const { operation = 0, lock = 0 } = await keptMsOf(own);
  expect([operation, lock].map((ms) => Math.ceil(ms / DAY_MS))).toEqual([30, 30]);
  // As it is once both have expired: the record a moment before its lock.
  await own.del(...(await own.keys(operationKeys.operation('*'))));
  sandbox.hosting.setBehavior(101, {});
  sandbox.hosting.hurry(60_000);
  await sandbox.startBot();
  await runToEnd(sandbox, 'ana', '/instances stop web-1 --because "it hangs"');
  expect(readAll(sandbox).some((text) => text.includes('Stopped web-1'))).toBe(true);
  expect(await own.keys(operationKeys.lock('*'))).toEqual([]);
  // What the index still names goes with the next look.
  await until(async () => (await own.exists(operationKeys.open, operationKeys.polled)) === 0);
  own.disconnect();
});
