import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createRecords, type Records } from '../../src/core/records/records.ts';
import { key } from '../../src/platform/redis/key.ts';
import { connectDatabase } from '../support/shared-redis.ts';

interface Counted {
  readonly count: number;
  readonly by: readonly string[];
}

const schema = z.object({ count: z.number(), by: z.array(z.string()) });

/** Two processes over the same records, which remember what they wrote. */
async function open(): Promise<{
  mine: Records<Counted>;
  other: Records<Counted>;
  reads: () => number;
  remove: (id: string) => Promise<unknown>;
}> {
  const redis = await connectDatabase();
  const read = vi.spyOn(redis, 'hmget');
  const records = (): Records<Counted> =>
    createRecords(redis, {
      keyOf: (id) => key('counted', id),
      index: key('counted', 'open'),
      schema,
      dueAt: () => 1,
      keptMs: 60_000,
      remembered: 2,
    });
  return {
    mine: records(),
    other: records(),
    reads: () => read.mock.calls.length,
    remove: (id) => redis.del(key('counted', id)),
  };
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

it('what a process saw last is read again only where a step has found it to be old', async () => {
  const { mine, other, reads } = await open();
  await mine.create('a', { count: 0, by: [] });
  await mine.change('a', countedBy('mine'));
  await other.change('a', countedBy('other'));
  const before = reads();
  expect(await mine.findLatest('a')).toMatchObject({ count: 1 });
  expect(reads()).toBe(before);
  // A step that doesn't apply has looked at the record itself.
  expect(await mine.change('a', () => undefined)).toBeUndefined();
  expect(await mine.findLatest('a')).toMatchObject({ count: 2 });
});

it('a record that is no longer there is forgotten as soon as that is seen', async () => {
  const { mine, remove } = await open();
  await mine.create('a', { count: 0, by: [] });
  await mine.change('a', countedBy('mine'));
  await remove('a');
  expect(await mine.findLatest('a')).toMatchObject({ count: 1 });
  expect(await mine.change('a', countedBy('mine'))).toBeUndefined();
  expect(await mine.findLatest('a')).toBeUndefined();
});

it('a record that Redis has put back to an earlier version is seen as it is there', async () => {
  const { mine, other, remove } = await open();
  await mine.create('a', { count: 0, by: [] });
  for (let time = 0; time < 3; time += 1) await mine.change('a', countedBy('mine'));
  await remove('a');
  await other.create('a', { count: 7, by: [] });
  expect(await mine.change('a', () => undefined)).toBeUndefined();
  expect(await mine.findLatest('a')).toMatchObject({ count: 7 });
});
