import type { Redis } from 'ioredis';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createOneRecord } from '../../src/core/records/one-record.ts';
import { connectDatabase } from '../support/shared-redis.ts';

const schema = z.object({ count: z.number() });

async function openStore(): Promise<{
  redis: Redis;
  reads: () => number;
  store: ReturnType<typeof storeOn>;
}> {
  const redis = await connectDatabase();
  const read = vi.spyOn(redis, 'hmget');
  return { redis, reads: () => read.mock.calls.length, store: storeOn(redis) };
}

function storeOn(redis: Redis): ReturnType<typeof createOneRecord<z.output<typeof schema>>> {
  return createOneRecord(redis, { key: 'counted', schema, none: { count: 0 } });
}

it('those who ask for a record in the same moment share one reading', async () => {
  const { store, reads } = await openStore();
  const all = await Promise.all(Array.from({ length: 12 }, () => store.get()));
  expect(all).toEqual(Array.from({ length: 12 }, () => ({ count: 0 })));
  expect(reads()).toBe(1);
});

it('those who ask later in the same turn of the event loop share it as well', async () => {
  const { store, reads } = await openStore();
  const first = store.get();
  await new Promise(process.nextTick);
  await Promise.all([first, store.get()]);
  expect(reads()).toBe(1);
});

it('who goes on at once when it is read need not read it again, and who does anything else first reads it', async () => {
  const { store, reads } = await openStore();
  await store.get();
  await store.get();
  expect(reads()).toBe(1);
  await new Promise(process.nextTick);
  await store.get();
  expect(reads()).toBe(2);
});

it('who goes on after a change reads it, though an older reading is answered along with it', async () => {
  const { store } = await openStore();
  for (let count = 1; count <= 20; count++) {
    let asked: Promise<unknown> = Promise.resolve();
    await store.change(() => {
      // Leaves just before the change.
      asked = store.get();
      return { count };
    });
    expect(await store.get()).toEqual({ count });
    expect(await asked).toEqual({ count: count - 1 });
  }
});

it('who goes on after a change reads it, though it left only behind a reading that was asked for later', async () => {
  const { redis } = await openStore();
  let letGo = (): void => undefined;
  let noteBegun = (): void => undefined;
  const held = new Promise<void>((done) => (letGo = done));
  const begun = new Promise<void>((done) => (noteBegun = done));
  const record = storeOn(redis);
  vi.spyOn(redis, 'evalsha').mockImplementationOnce(async () => {
    noteBegun();
    // As a write that waits for another to come to its end.
    await held;
    await redis.hset('counted', { version: '1', record: JSON.stringify({ count: 1 }) });
    return ['written', ''];
  });
  const changing = record.change(() => ({ count: 1 }));
  await begun;
  const asked = record.get();
  letGo();
  await changing;
  expect(await record.get()).toEqual({ count: 1 });
  expect(await asked).toEqual({ count: 0 });
});

it('who asks after a change reads it, by whichever process it was made', async () => {
  const { redis, store } = await openStore();
  const other = storeOn(redis);
  for (let count = 1; count <= 20; count++) {
    const by = count % 2 === 0 ? store : other;
    const [, changed] = await Promise.all([store.get(), by.change(() => ({ count }))]);
    expect(changed).toEqual({ count });
    expect(await Promise.all([store.get(), other.get()])).toEqual([{ count }, { count }]);
  }
});

it('a reading that fails is not kept for the next who asks', async () => {
  const { redis, store } = await openStore();
  await redis.hset('counted', { version: '1', record: '{"count":"many"}' });
  await expect(store.get()).rejects.toThrow();
  await redis.hset('counted', { version: '2', record: '{"count":2}' });
  expect(await store.get()).toEqual({ count: 2 });
});
