import { Redis } from 'ioredis';
import { expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { createIndexedRecords, type IndexedRecords } from '../../src/platform/redis/indexed-records.ts';
import { key } from '../../src/platform/redis/key.ts';
import { takeDatabase } from '../support/shared-redis.ts';

interface Counted {
  readonly count: number;
  readonly by: readonly string[];
}

const schema = z.object({ count: z.number(), by: z.array(z.string()) });

/** Two processes over the same records, which remember what they wrote. */
async function open(): Promise<{
  mine: IndexedRecords<Counted>;
  other: IndexedRecords<Counted>;
  reads: () => number;
}> {
  const { url, release } = await takeDatabase();
  const redis = new Redis(url);
  const read = vi.spyOn(redis, 'hmget');
  onTestFinished(() => {
    redis.disconnect();
    release();
  });
  const records = (): IndexedRecords<Counted> =>
    createIndexedRecords(redis, {
      keyOf: (id) => key('counted', id),
      index: key('counted', 'open'),
      schema,
      dueAt: () => 1,
      keptMs: 60_000,
      remembered: 2,
    });
  return { mine: records(), other: records(), reads: () => read.mock.calls.length };
}

const countedBy =
  (name: string) =>
  ({ count, by }: Counted): Counted => ({ count: count + 1, by: [...by, name] });

it('a process that moves a record again and again reads it once', async () => {
  const { mine, reads } = await open();
  await mine.create('a', { count: 0, by: [] });
  for (let time = 0; time < 5; time += 1) await mine.change('a', countedBy('mine'));
  expect(await mine.find('a')).toMatchObject({ count: 5 });
  expect(reads()).toBe(2);
});

it('what two processes change in turn or at once is all there, though each remembers its own', async () => {
  const { mine, other } = await open();
  await mine.create('a', { count: 0, by: [] });
  for (let time = 0; time < 5; time += 1) {
    await mine.change('a', countedBy('mine'));
    await other.change('a', countedBy('other'));
    await Promise.all([mine.change('a', countedBy('mine')), other.change('a', countedBy('other'))]);
  }
  const found = await mine.find('a');
  expect(found?.count).toBe(20);
  expect(found?.by.filter((name) => name === 'mine')).toHaveLength(10);
});

it('a step that does not apply to what is remembered is tried at what is there', async () => {
  const { mine, other } = await open();
  await mine.create('a', { count: 0, by: [] });
  await mine.change('a', countedBy('mine'));
  await other.change('a', countedBy('other'));
  const onlyAtTwo = (record: Counted): Counted | undefined =>
    record.count === 2 ? { ...record, count: 9 } : undefined;
  expect(await mine.change('a', onlyAtTwo)).toMatchObject({ count: 9 });
  expect(await mine.change('a', onlyAtTwo)).toBeUndefined();
});
