import type { Redis } from 'ioredis';
import { beforeEach, describe, expect, it } from 'vitest';
import { requestKeys } from '../../src/core/ask/ask.ts';
import { closed, newBatch, nextBegun, stopped } from '../../src/core/batches/batch.ts';
import { createBatchStore } from '../../src/core/batches/batch-store.ts';
import { newBoard } from '../../src/core/boards/board.ts';
import { createBoardStore } from '../../src/core/boards/board-store.ts';
import type { Row } from '../../src/core/boards/row.ts';
import * as writes from '../../src/core/records/commit.ts';
import { commit } from '../../src/core/records/commit.ts';
import { unchanged } from '../../src/core/records/conditions.ts';
import { waitForReplicas } from '../../src/platform/redis/survive.ts';
import { batchIdOf, newSchedule } from '../../src/core/schedules/schedule.ts';
import { createScheduleStore } from '../../src/core/schedules/schedule-store.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { connectDatabase } from '../support/shared-redis.ts';

const KEY = '{lamplighter}:one';
const KEPT_MS = 60_000;
const ACTOR = { userId: 'U0ANA000001' };
const PLACE = { channelId: 'C0OPS000001' };
const ENTRY = { what: 'asked', at: 0, requestId: 'r', route: 'instances.stop' } as const;

let redis: Redis;
beforeEach(async () => {
  redis = await connectDatabase();
});

const write = (...all: readonly writes.Write[]): Promise<unknown> => commit(redis, { write: all });

describe('a write', () => {
  it('lets go of a lock only where it is its own', async () => {
    await redis.set(KEY, 'somebody');
    await write(writes.release(KEY, 'another'));
    expect(await redis.get(KEY)).toBe('somebody');
    await write(writes.release(KEY, 'somebody'));
    expect(await redis.get(KEY)).toBeNull();
  });

  it('claims a lock only where nobody has it, and not for ever', async () => {
    await write(writes.claim(KEY, 'first', KEPT_MS));
    await write(writes.claim(KEY, 'second', KEPT_MS));
    expect(await redis.get(KEY)).toBe('first');
    expect(await redis.pttl(KEY)).toBeGreaterThan(0);
  });

  it('keeps what was written first of a name, and no more names than there may be', async () => {
    await write(writes.first(KEY, 'a', '1', 2), writes.first(KEY, 'a', '2', 2));
    await write(writes.first(KEY, 'b', '3', 2), writes.first(KEY, 'c', '4', 2), writes.keep(KEY, KEPT_MS));
    expect(await redis.hgetall(KEY)).toEqual({ a: '1', b: '3' });
    expect(await redis.pttl(KEY)).toBeGreaterThan(0);
  });

  it('pushes the newest to the front, and lets no list grow beyond twice what it keeps', async () => {
    for (let nth = 1; nth <= 7; nth++) await write(writes.push(KEY, String(nth), 3, KEPT_MS));
    expect(await redis.lrange(KEY, 0, -1)).toEqual(['7', '6', '5']);
    expect(await redis.pttl(KEY)).toBeGreaterThan(0);
  });

  it('keeps a record for as long as it is told, or as before', async () => {
    await write(writes.record(KEY, '1.a', 'one', KEPT_MS));
    await write(writes.record(KEY, '2.b', 'two'));
    expect(await redis.hgetall(KEY)).toEqual({ version: '2.b', record: 'two' });
    expect(await redis.pttl(KEY)).toBeGreaterThan(0);
  });

  it('files what waits for something else behind all that has a time', async () => {
    await write(writes.file(KEY, 'a', Infinity), writes.file(KEY, 'b', 5), writes.file(KEY, 'c', 6));
    await write(writes.unfile(KEY, 'c'));
    expect(await redis.zrange(KEY, '0', '-1')).toEqual(['b', 'a']);
  });
});

it('nothing is written, and nothing is recorded, where a condition does not hold', async () => {
  const kept = await commit<'moved'>(redis, {
    if: [unchanged(KEY, '3.c', 'moved')],
    write: [writes.set('{lamplighter}:other', 'x', KEPT_MS)],
    audit: ENTRY,
  });
  expect(kept).toEqual({ result: 'moved', found: '0' });
  expect(await redis.keys('*')).toEqual([]);
});

/** A batch of two that has just begun. */
async function begunBatch(): Promise<ReturnType<typeof createBatchStore>> {
  const subject = { id: '1', name: 'web-1', status: 'running' };
  const items = ['one', 'two'].map((operationId) => ({ operationId, subject, rule: 'r' }));
  const batch = newBatch(
    { id: 'b', kind: 'instances.stop', actor: ACTOR, place: PLACE, atOnce: 1, items },
    0,
  );
  const batches = createBatchStore(redis);
  await redis.set(requestKeys.request('b'), '{}');
  await batches.begin(batch, {}, ENTRY);
  return batches;
}

it('a batch is closed only once that is certain, since its card forgets it then', async () => {
  await begunBatch();
  const waiting = redis.duplicate();
  await waiting.ping();
  waitForReplicas(waiting, { url: '', replicas: 1 });
  const closing = createBatchStore(waiting).change('b', (one) => closed({ ...one, endedAt: 1 }, 2));
  await expect(closing).rejects.toThrow('too few replicas');
  waiting.disconnect();
});

it.each([
  ['what it had not begun', false],
  ['what it was about to begin as well', true],
])('a batch that is stopped takes back %s', async (_what, isAboutTo) => {
  const batches = await begunBatch();
  const open = (): Promise<number> => redis.exists(requestKeys.request('one'), requestKeys.request('two'));
  if (isAboutTo) await batches.change('b', (one) => nextBegun({ ...one, card: { ...PLACE, ts: '1.1' } }));
  expect(await open()).toBe(2);
  await batches.change('b', (one) => stopped(one, { why: 'person', at: 1 }));
  expect(await open()).toBe(0);
});

it('a run has its request from its opening until it is given up', async () => {
  const when = { kind: 'once', zone: 'UTC', verb: 'stop', date: '2099-01-01', hour: 1, minute: 0 } as const;
  const target = { instances: [{ id: '1', name: 'web-1', status: 'running' }] };
  const given = { id: 's', owner: ACTOR, channelId: PLACE.channelId, target, when };
  const schedules = createScheduleStore({
    redis,
    outbox: { saying: async () => ({}) },
    clock: { now: () => 0 },
  });
  await schedules.create(newSchedule(given, 0));
  const run = { ruleAt: 7 };
  const request = requestKeys.request(batchIdOf(given, run));
  await schedules.change('s', (one) => one, { run: { how: 'open', run } });
  expect(await redis.get(request)).toBe('s');
  await schedules.change('s', (one) => one, { run: { how: 'end', run } });
  expect(await redis.get(request)).toBeNull();
});

it('no line is put over an end by a process that slept', async () => {
  const boards = createBoardStore(redis, TIMINGS, { now: () => 1 });
  const line: Row = { state: 'done', name: 'web-1', says: [], steps: [], at: 1 };
  await boards.create('a-board', newBoard('a-board', PLACE, 0));
  await boards.setRow('a-board', 'an-operation', line, true);
  await boards.setRow('a-board', 'an-operation', { ...line, state: 'running' }, true);
  expect((await boards.read('a-board'))?.members.map(({ state }) => state)).toEqual(['done']);
});
