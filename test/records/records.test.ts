import { expect, it } from 'vitest';
import { z } from 'zod';
import { createRecords, type Records } from '../../src/core/records/records.ts';
import { key } from '../../src/platform/redis/key.ts';
import { connectDatabase } from '../support/shared-redis.ts';

interface Counted {
  readonly count: number;
  readonly by: readonly string[];
}

const schema = z.object({ count: z.number(), by: z.array(z.string()) });

/** Two processes over the same records. */
async function open(): Promise<{
  mine: Records<Counted>;
  other: Records<Counted>;
}> {
  const redis = await connectDatabase();
  const records = (): Records<Counted> =>
    createRecords(redis, {
      keyOf: (id) => key('counted', id),
      index: key('counted', 'open'),
      schema,
      dueAt: () => 1,
      keptMs: 60_000,
    });
  return {
    mine: records(),
    other: records(),
  };
}

const countedBy =
  (name: string) =>
  ({ count, by }: Counted): Counted => ({ count: count + 1, by: [...by, name] });

it('what two processes change in turn or at once is all there, and nothing twice', async () => {
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
