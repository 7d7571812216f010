import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type PrivateRedis, startRedis } from '../../sandbox/redis.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { newId } from '../../src/platform/id.ts';
import { createLatest } from '../../src/core/operations/latest.ts';
import { createOperationStore, type OperationStore } from '../../src/core/operations/operation-store.ts';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { lockOf, type Operation } from '../../src/core/operations/operation.ts';
import { createSwap } from '../../src/core/records/commit.ts';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import { createRedisClock, type RedisClock } from '../../src/platform/redis/clock.ts';
import { BUTTON_TOKENS, offerKey } from '../../src/core/offers/offers.ts';
import { CONFIRMATIONS } from '../../src/core/offers/confirmation.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { requestKeys } from '../../src/core/ask/ask.ts';
import { operation } from './operation.ts';

/** What the script that begins operations refuses by itself: the process that asks may have looked too early. */

let server: PrivateRedis;
let redis: Redis;
let clock: RedisClock;
const ENTRY = { what: 'asked', at: 0, requestId: 'r', route: 'instances.stop' } as const;
let store: OperationStore;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
  clock = createRedisClock(redis, createSwap(redis));
  store = storeOn(redis);
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  clock.stop();
  redis.disconnect();
  await server.stop();
});

function storeOn(connection: Redis): OperationStore {
  return createOperationStore({
    redis: connection,
    outbox: { saying: async () => ({}) },
    clock,
    timings: TIMINGS,
    log: createLog('silent', []),
    latest: createLatest(),
  });
}

/** An operation about an instance of its own, whose request is open. */
async function asked(): Promise<Operation> {
  const id = newId();
  await redis.set(requestKeys.request(id), '{}');
  await redis.zadd(requestKeys.open, 0, id);
  const fresh = operation({});
  return { ...fresh, id, subject: { ...fresh.subject, id: `i-${id}` } };
}

/** What stands behind a confirmation, or a button. */
async function written(key: string): Promise<void> {
  await redis.hset(key, 'what', '{}');
}

test('a confirmation begins one operation, even if two requests bring it', async () => {
  await written(offerKey(CONFIRMATIONS, 'c'));
  const [one, other] = [await asked(), await asked()];
  expect(await store.begin(one, { confirmationId: 'c' }, ENTRY)).toEqual({ result: 'begun' });
  expect(await store.begin(other, { confirmationId: 'c' }, ENTRY)).toEqual({
    result: 'used',
    operationId: one.id,
  });
  expect(await store.find(other.id)).toBeUndefined();
});

test('a confirmation that is no longer there begins nothing', async () => {
  const one = await asked();
  expect(await store.begin(one, { confirmationId: 'c' }, ENTRY)).toEqual({ result: 'unconfirmed' });
  expect(await store.find(one.id)).toBeUndefined();
});

test('a request that is gone begins nothing: its person has read so', async () => {
  const one = await asked();
  await redis.del(requestKeys.request(one.id));
  expect(await store.begin(one, {}, ENTRY)).toEqual({ result: 'gone' });
  expect(await store.find(one.id)).toBeUndefined();
});

test('a button and the confirmation that it asked for are used up together, or neither is', async () => {
  await written(offerKey(CONFIRMATIONS, 'c'));
  const [one, other, third] = [await asked(), await asked(), await asked()];
  expect(await store.begin(one, { buttonTokenId: 'o' }, ENTRY)).toEqual({ result: 'begun' });
  expect(await store.begin(other, { buttonTokenId: 'o', confirmationId: 'c' }, ENTRY)).toEqual({
    result: 'used',
    operationId: one.id,
  });
  expect(await redis.hget(offerKey(CONFIRMATIONS, 'c'), 'usedBy')).toBeNull();
  await written(offerKey(CONFIRMATIONS, 'd'));
  expect(await store.begin(third, { buttonTokenId: 'p', confirmationId: 'd' }, ENTRY)).toEqual({
    result: 'begun',
  });
  expect(await redis.hget(offerKey(BUTTON_TOKENS, 'p'), 'usedBy')).toBe(third.id);
  expect(await redis.hget(offerKey(CONFIRMATIONS, 'd'), 'usedBy')).toBe(third.id);
});

test('the same request begins the same operation again, whatever it brings', async () => {
  await written(offerKey(CONFIRMATIONS, 'c'));
  const one = await asked();
  expect(await store.begin(one, { confirmationId: 'c' }, ENTRY)).toEqual({ result: 'begun' });
  expect(await store.begin(one, { confirmationId: 'c' }, ENTRY)).toEqual({ result: 'begun' });
});

test('a lock without its operation that is let go just as it is taken over is free', async () => {
  const one = await asked();
  const lock = operationKeys.lock(lockOf(one.subject.id));
  await redis.set(lock, 'lost');
  vi.spyOn(redis, 'exists').mockImplementationOnce(async () => {
    await redis.del(lock);
    return 0;
  });
  expect(await store.begin(one, {}, ENTRY)).toEqual({ result: 'begun' });
});

test('what too few replicas have is not put back where Redis loses it: others may say that nothing was done', async () => {
  const waiting = connectBlocking({ url: server.url, replicas: 1 }, () => undefined);
  const one = await asked();
  const ofWaiting = storeOn(waiting);
  await expect(ofWaiting.begin(one, {}, ENTRY)).rejects.toThrow('too few replicas');
  await redis.flushall();
  expect(await ofWaiting.takeLost(true)).toEqual([]);
  expect(await ofWaiting.find(one.id)).toBeUndefined();
  waiting.disconnect();
});

test('one that is put back as ended is polled no more, although the Redis that lost its end has it among those that are', async () => {
  const wanted = await asked();
  await store.begin(wanted, {}, ENTRY);
  const beside = { dueAt: () => 1, historyOf: () => ({ past: '', times: '' }) };
  const move = (
    execution: Partial<Operation['execution']>,
    outcome?: Operation['outcome'],
  ): Promise<unknown> =>
    store.change(
      wanted.id,
      (one) => ({ ...one, execution: { ...one.execution, ...execution }, ...(outcome ? { outcome } : {}) }),
      beside,
    );
  await move({ state: 'accepted', nextAt: 1 });
  const polled = await redis.dumpBuffer(operationKeys.operation(wanted.id));
  await move({ state: 'ended' }, { result: 'done', code: 'done', at: 1 });
  expect(await redis.zscore(operationKeys.polled, wanted.id)).toBeNull();

  await redis.restore(operationKeys.operation(wanted.id), 0, polled ?? '', 'REPLACE');
  await redis.zadd(operationKeys.polled, 1, wanted.id);
  expect((await store.find(wanted.id))?.outcome?.code).toBe('done');
  expect(await redis.zscore(operationKeys.polled, wanted.id)).toBeNull();
});
