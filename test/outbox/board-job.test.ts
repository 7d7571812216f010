import type { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { createBoardJob } from '../../src/core/boards/board-job.ts';
import { beginReply, endReply } from '../../src/core/boards/board.ts';
import { type BoardStore, boardKeys, createBoardStore, BOARDS } from '../../src/core/boards/board-store.ts';
import type { Row, RowState } from '../../src/core/boards/row.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { NotReplicated, waitForReplicas } from '../../src/platform/redis/survive.ts';
import { createLog } from '../../src/platform/log/log.ts';
import type { Messenger } from '../../src/platform/slack/messenger.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import type { Operations } from '../../src/core/operations/operations.ts';
import type { WorkQueue } from '../../src/platform/queue/queue.ts';
import { noLanes } from '../support/no-lanes.ts';
import { connectDatabase } from '../support/shared-redis.ts';
import { fixedClock } from '../support/fixed-clock.ts';

const NOW = 1_700_000_000_000;
const DAY_MS = 24 * 3_600_000;
const PLACE = { channelId: 'C1' };
const line = (state: RowState, at: number): Row => ({
  state,
  name: 'web-1',
  says: say`web-1`,
  steps: [],
  at,
});

const storeIn = (redis: Redis): BoardStore => createBoardStore(redis, { ownCards: 0 }, { now: () => NOW });

/** Has a process show a board that one operation has joined; `meanwhile` goes on while its post is on its way. */
async function show(store: BoardStore, meanwhile: () => Promise<void>): Promise<void> {
  await store.assign('one', PLACE, NOW);
  await store.setRow('one', 'one', line('running', NOW), true);
  await runJob(store, {
    post: async () => {
      await meanwhile();
      return { channelId: 'C1', ts: '1.1' };
    },
    update: () => Promise.resolve(),
  });
}

async function runJob(
  store: BoardStore,
  messenger: Pick<Messenger, 'post' | 'update'>,
  change: Operations['change'] = () => Promise.resolve(undefined),
): Promise<void> {
  const job = createBoardJob({
    boardStore: store,
    metrics: { messageDeadLettered: () => undefined, messagePosted: () => undefined },
    operations: { change } as unknown as Operations, // nothing else is asked of it
    headers: {
      shown: async () => undefined,
      notShown: async () => undefined,
      reported: async () => undefined,
    },
    queue: { wake: () => Promise.resolve() } as unknown as WorkQueue, // nothing else is asked of it
    showBoardRoute: 'show',
    messenger: messenger as Messenger, // nothing else is asked of it
    lanes: noLanes,
    clock: fixedClock(() => NOW),
    timings: TIMINGS,
    log: createLog('silent', []),
  });
  await job('one', new AbortController().signal);
}

it('what is put while a board is busy wakes again once the board has read what was put before', async () => {
  const store = storeIn(await connectDatabase());
  const woken: boolean[] = [];
  await show(store, async () => {
    woken.push(await store.setRow('one', 'two', line('running', NOW + 1), true));
    woken.push(await store.setRow('one', 'three', line('running', NOW + 2), true));
  });
  // The first one wakes for both; they have been read when the run ends.
  expect(woken).toEqual([true, false]);
  expect(await store.setRow('one', 'four', line('running', NOW + 3), true)).toBe(true);
});

it('a board that nobody joined is kept for some days from its first line on, and from later ones', async () => {
  const redis = await connectDatabase();
  const store = storeIn(redis);
  const [lines, record] = [boardKeys.rows('batch'), BOARDS.keyOf('batch')];
  await redis.hset(record, 'version', 1);
  const putAt = (at: number): Promise<boolean> => store.setRow('batch', 'one', line('running', at), false);
  await putAt(NOW);
  expect(await redis.pttl(lines)).toBeGreaterThan(DAY_MS);
  expect(await redis.pttl(record)).toBeGreaterThan(DAY_MS);
  await redis.pexpire(lines, DAY_MS);
  for (let more = 1; more <= 20; more += 1) await putAt(NOW + more);
  expect(await redis.pttl(lines)).toBeGreaterThan(DAY_MS);
});

it('an end that another process has reported meanwhile is not reported again by one that was slow to edit', async () => {
  const redis = await connectDatabase();
  const [store, other] = [storeIn(redis), storeIn(redis)];
  await store.assign('one', PLACE, NOW);
  await store.setRow('one', 'one', line('running', NOW), true);
  const posted = { state: 'sent', channelId: 'C1', ts: '1.1', shown: '1' } as const;
  await store.change('one', (board) => ({ ...board, message: { ...board.message, ...posted } }));
  await store.markRows('one', ['one'], 'shown');
  await store.setRow('one', 'one', { ...line('done', NOW), reply: say`web-1 is done` }, true);
  const replies: string[] = [];
  await runJob(store, {
    update: async () => {
      const begun = await other.change('one', (board) => beginReply(board, board, ['one'], NOW));
      await other.markRows('one', ['one'], 'reported');
      const key = begun?.reply?.message.key ?? '';
      await other.change('one', (board) => endReply(board, key, NOW - DAY_MS, TIMINGS));
    },
    post: (_address, _content, key) => {
      replies.push(key);
      return Promise.resolve({ channelId: 'C1', ts: '1.2' });
    },
  });
  expect((await store.find('one'))?.message.shown).toBe('2');
  expect(replies).toEqual([]);
});

it('rows are not marked before what was done with their operations is certain', async () => {
  const store = storeIn(await connectDatabase());
  await store.assign('one', PLACE, NOW);
  await store.setRow('one', 'one', line('running', NOW), true);
  const posts = {
    post: () => Promise.resolve({ channelId: 'C1', ts: '1.1' }),
    update: () => Promise.resolve(),
  };
  const another = new NotReplicated('another Redis has taken over');
  // Its commit stands, and may be lost.
  const lost: Operations['change'] = (_id, _step, beside) =>
    beside?.survives ? Promise.reject(another) : Promise.resolve(undefined);
  await expect(runJob(store, posts, lost)).rejects.toThrow(another);
  expect((await store.read('one'))?.members.map(({ marks }) => [...marks])).toEqual([[]]);
});

it('marks that too few replicas have are not taken for written, or a reply is told twice', async () => {
  const redis = await connectDatabase();
  const store = storeIn(redis);
  await store.assign('one', PLACE, NOW);
  await store.setRow('one', 'one', line('running', NOW), true);
  waitForReplicas(redis, { url: '', replicas: 1 });
  await expect(store.markRows('one', ['one'], 'reported')).rejects.toThrow('too few replicas');
});
