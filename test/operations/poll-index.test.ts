import type { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { createLatest, type Latest, createNewest } from '../../src/core/operations/latest.ts';
import {
  createPollIndex,
  type PollIndex,
  createReader,
  type Reader,
} from '../../src/core/operations/read-operations.ts';
import { createSwap } from '../../src/core/records/commit.ts';
import { createRedisClock } from '../../src/platform/redis/clock.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { connectDatabase } from '../support/shared-redis.ts';
import { operation } from './operation.ts';

const DUE = 1_000;
const BY = 2_000;
const LATER = 50_000;

const record = operation({ execution: { state: 'accepted' } });

/** A Redis with `due` operations whose poll is due and `later` whose poll is not, and two processes over it. */
async function open(
  due: number,
  later: number,
): Promise<{
  redis: Redis;
  warned: () => string;
  mine: PollIndex;
  other: PollIndex;
  reader: Reader;
  latest: Latest;
}> {
  const redis = await connectDatabase();
  const clock = createRedisClock(redis, createSwap(redis));
  onTestFinished(clock.stop);
  const ids = Array.from({ length: due + later }, (_, index) => `op-${index}`);
  for (const [index, id] of ids.entries()) {
    await redis.hset(operationKeys.operation(id), { version: 1, record: JSON.stringify({ ...record, id }) });
    await redis.zadd(operationKeys.polled, index < due ? DUE : LATER, id);
  }
  let warned = '';
  const log = createLog('warn', [], { write: (line) => void (warned += line) });
  const latest = createLatest();
  const reader = createReader(redis, clock, log, latest);
  const { readNewest } = createNewest({ redis, clock, log, latest }, reader.read);
  const index = (): PollIndex =>
    createPollIndex({ redis, leaseMs: 60_000, readAll: reader.readAll, readNewest });
  return { redis, warned: () => warned, mine: index(), other: index(), reader, latest };
}

it('what is due is looked at, and it is said when the first of the others will be', async () => {
  const { mine } = await open(80, 300);
  const polls = await mine.takeDuePolls(BY);
  expect(polls?.due).toHaveLength(80);
  expect(polls?.nextAt).toBe(LATER);
  expect((await mine.takeDuePolls(Number.MAX_SAFE_INTEGER))?.due).toHaveLength(380);
});

it('where none is due, it is said when the first will be, and nobody else polls meanwhile', async () => {
  const { redis, mine, other } = await open(0, 3);
  expect(await mine.takeDuePolls(BY)).toEqual({ due: [], nextAt: LATER });
  expect(await other.takeDuePolls(LATER)).toBeUndefined();
  // As a tool leaves it that copies keys without their ends: nobody knows whether who had it is still there.
  await redis.persist(operationKeys.poller);
  expect((await other.takeDuePolls(LATER))?.due).toHaveLength(3);
});

it('of hundreds that are read together, one that is gone and one that nobody can read hold up nobody', async () => {
  const { redis, reader, warned } = await open(600, 0);
  await redis.del(operationKeys.operation('op-7'));
  await redis.hset(operationKeys.operation('op-300'), 'record', '{"schema":9}');
  const ids = await redis.zrange(operationKeys.polled, '0', '-1');
  const found = await reader.readAll(operationKeys.polled, ids, 'current');
  expect(found.map(({ id }) => id).toSorted()).toEqual(
    ids.filter((id) => id !== 'op-7' && id !== 'op-300').toSorted(),
  );
  expect(await redis.zscore(operationKeys.polled, 'op-7')).toBeNull();
  // Left to a process that can read it, for a minute.
  expect(Number(await redis.zscore(operationKeys.polled, 'op-300'))).toBeGreaterThan(LATER);
  expect(warned()).toContain('op-300');
});

it('what this process knows is read again only in another version, or not at all where that will do', async () => {
  const { redis, reader } = await open(2, 0);
  await reader.readAll(operationKeys.polled, ['op-0', 'op-1'], 'current');
  const since = JSON.stringify({ ...record, id: 'op-0', because: 'since' });
  await redis.hset(operationKeys.operation('op-0'), { record: since });
  const reasons = async (which: Parameters<Reader['readAll']>[2]): Promise<unknown[]> =>
    (await reader.readAll(operationKeys.polled, ['op-0'], which)).map(({ because }) => because);
  expect(await reasons('current')).toEqual([undefined]);
  await redis.hset(operationKeys.operation('op-0'), { version: 2 });
  expect(await reasons('any')).toEqual([undefined]);
  expect(await reasons('current')).toEqual(['since']);
});

it('one that has ended is polled no more, however it came to stand there, and is looked at no more', async () => {
  const { redis, mine } = await open(2, 1);
  const gone = { ...record, id: 'op-0', execution: { ...record.execution, state: 'ended' } };
  await redis.hset(operationKeys.operation('op-0'), { version: 2, record: JSON.stringify(gone) });
  const polls = await mine.takeDuePolls(BY);
  expect(polls?.due.map(({ id }) => id)).toEqual(['op-1']);
  expect(await redis.zrange(operationKeys.polled, '0', '-1')).toEqual(['op-1', 'op-2']);
});

it('one whose record came back older than this process wrote it is put back, and polled on', async () => {
  const { redis, mine, latest } = await open(1, 0);
  const key = operationKeys.operation('op-0');
  latest.keep({ version: '3.mine', operation: { ...record, id: 'op-0' }, movedAt: 1 });
  const older = { ...record, id: 'op-0', execution: { ...record.execution, state: 'requested' } };
  await redis.hset(key, { version: '2.older', record: JSON.stringify(older) });
  await mine.takeDuePolls(BY);
  expect(await redis.zrange(operationKeys.polled, '0', '-1')).toEqual(['op-0']);
  expect((await mine.takeDuePolls(Number.MAX_SAFE_INTEGER))?.due).toHaveLength(1);
});
