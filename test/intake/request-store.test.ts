import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type PrivateRedis, startRedis } from '../../sandbox/redis.ts';
import type { Ask } from '../../src/core/ask/ask.ts';
import { newId } from '../../src/platform/id.ts';
import { createSwap } from '../../src/core/records/commit.ts';
import { createRedisClock, type RedisClock } from '../../src/platform/redis/clock.ts';
import { createRequestStore, type RequestStore } from '../../src/core/intake/request-store.ts';
import { anAsk } from '../support/an-ask.ts';
import { TIMINGS } from '../../src/core/timings.ts';

let server: PrivateRedis;
let redis: Redis;
let clock: RedisClock;
let requests: RequestStore;
beforeEach(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
  clock = createRedisClock(redis, createSwap(redis));
  await clock.look();
  requests = createRequestStore(redis, clock, TIMINGS);
});
afterEach(async () => {
  clock.stop();
  redis.disconnect();
  await server.stop();
});

const fresh = (askedAt = clock.now()): Ask => anAsk({ id: newId(), words: ['web-1'], askedAt });
const find = async (id: string) => (await requests.takeUp(id))?.ask;
const reply = { lines: [[{ type: 'text' as const, text: 'No.' }]] };

test('a request that is taken back is gone, and is taken when it is delivered again', async () => {
  const ask = fresh();
  expect(await requests.accept(ask)).toBe('accepted');
  expect(await requests.revoke(ask)).toBe('not taken');
  expect(await find(ask.id)).toBeUndefined();
  expect(await requests.listDue(Infinity)).toEqual([]);
  expect(await requests.accept(ask)).toBe('accepted');
});

test('what a run has taken up is not taken back', async () => {
  const ask = fresh();
  await requests.accept(ask);
  await requests.takeUp(ask.id);
  expect(await requests.revoke(ask)).toBe('taken');
  expect(await find(ask.id)).toEqual(ask);
});

test('what was only put in line was not taken up before', async () => {
  const ask = fresh();
  await requests.accept(ask);
  const first = await requests.takeUp(ask.id);
  expect(await requests.enqueue({ ...ask, queuedUntil: clock.now() }, first?.mark ?? '')).toBe(true);
  expect((await requests.takeUp(ask.id))?.isAgain).toBe(false);
  await requests.decide(ask, reply, undefined);
  expect(await requests.enqueue({ ...ask, queuedUntil: clock.now() }, '')).toBe(false);
});

test('that nothing was done is written down for the run that took it up last alone', async () => {
  const ask = fresh();
  await requests.accept(ask);
  const first = await requests.takeUp(ask.id);
  const second = await requests.takeUp(ask.id);
  expect([first?.isAgain, second?.isAgain]).toEqual([false, true]);
  expect(await requests.decide(ask, reply, undefined, first?.mark)).toBe('again');
  expect(await requests.findReply(ask.id)).toBeUndefined();
  expect(await requests.decide(ask, reply, undefined, second?.mark)).toBe('decided');
});

test('a second delivery that could not be written takes back nothing of the first', async () => {
  const ask = fresh();
  await requests.accept(ask);
  expect(await requests.revoke({ ...ask, askedAt: ask.askedAt + 40 })).toBe('taken');
  expect(await find(ask.id)).toEqual(ask);
  await requests.decide(ask, reply, undefined);
  expect(await requests.revoke(ask)).toBe('taken');
  expect(await requests.findReply(ask.id)).toEqual({ ask, reply });
});

test('a delivery that was acknowledged as a second one keeps the first from taking the request back', async () => {
  const ask = fresh();
  const again = { ...ask, askedAt: ask.askedAt + 40 };
  await requests.accept(ask);
  expect(await requests.accept(again)).toBe('duplicate');
  expect(await requests.revoke(ask)).toBe('taken');
  expect(await find(ask.id)).toEqual(ask);
});

test('a second delivery that was seen, with nobody hearing so, takes back nothing of the first', async () => {
  const ask = fresh();
  const again = { ...ask, askedAt: ask.askedAt + 40 };
  await requests.accept(ask);
  expect(await requests.accept(again)).toBe('duplicate');
  expect(await requests.revoke(again)).toBe('taken');
  expect(await find(ask.id)).toEqual(ask);
});

test('a read that came before is written down with the same token, and with no other', async () => {
  const ask = fresh();
  expect(await requests.isFirst(ask.id, 'one')).toBe(true);
  expect(await requests.isFirst(ask.id, 'one')).toBe(true);
  expect(await requests.isFirst(ask.id, 'other')).toBe(false);
  expect(await requests.acceptRead(ask, 'other')).toBe('duplicate');
  expect(await requests.acceptRead(ask, 'one')).toBe('accepted');
  expect(await find(ask.id)).toEqual(ask);
});

test('a delivery that is written once more keeps what another has acknowledged', async () => {
  const ask = fresh();
  expect(await requests.acceptRead(ask, 'one')).toBe('accepted');
  expect(await requests.acceptRead({ ...ask, askedAt: ask.askedAt + 40 }, 'other')).toBe('duplicate');
  expect(await requests.acceptRead(ask, 'one')).toBe('accepted');
  expect(await requests.revoke(ask)).toBe('taken');
  expect(await find(ask.id)).toEqual(ask);
});

test('what was written in time is accepted where it is sent again too late, and nothing else is', async () => {
  const ask = fresh();
  expect(await requests.acceptRead(ask, 'one')).toBe('accepted');
  const late = { ...ask, askedAt: ask.askedAt - 60_000 };
  expect(await requests.acceptRead(late, 'one')).toBe('accepted');
  await expect(requests.acceptRead(late, 'other')).rejects.toThrow('late');
  const seenOnly = fresh(clock.now() - 60_000);
  await requests.isFirst(seenOnly.id, 'one');
  await expect(requests.acceptRead(seenOnly, 'one')).rejects.toThrow('late');
});

test('what was never written is not taken', async () => {
  expect(await requests.revoke(fresh())).toBe('not taken');
});

test('is answered once: what was decided can not be decided again', async () => {
  const ask = fresh();
  await requests.accept(ask);
  expect(await requests.decide(ask, reply, undefined)).toBe('decided');
  expect(await requests.decide(ask, { lines: [] }, undefined)).toBe('gone');
  expect(await requests.findReply(ask.id)).toEqual({ ask, reply });
  expect(await requests.finish(ask.id)).toBe(true);
  expect(await requests.findReply(ask.id)).toBeUndefined();
  expect(await requests.finish(ask.id)).toBe(false);
});
