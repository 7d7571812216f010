import { beforeAll, describe, expect, it } from 'vitest';
import { KINDS } from '../../faults/kinds.ts';
import { STRIKES } from '../support/failpoints.ts';
import { strike } from '../support/struck.ts';

/** Later ones of a name are of the same kind, and how many there are hangs on how often it looks. */
const MOST_OF_A_NAME = 2;
const AT_ONCE = 6;

/** Runs `work` for each, some at a time. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const one = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

describe.each(KINDS)('$kind', (kind) => {
  let points: string[] = [];

  beforeAll(async () => {
    const { passed, faults } = await strike({ kind });
    expect(faults).toEqual([]);
    points = [...new Set(passed)].filter((point) => Number(point.split(' ').at(-1)) <= MOST_OF_A_NAME);
  });

  it('has awaits at every part of its road', () => {
    const parts = new Set(points.map((point) => point.split('.')[0]));
    for (const part of [
      'requests',
      'request queue',
      'access',
      'hosting',
      'operations',
      'queue',
      'messenger',
    ]) {
      expect(parts).toContain(part);
    }
  });

  it.each(STRIKES)(
    'with a %s at any of its awaits is asked at most once and told once, truly',
    async (strikes) => {
      const wrong: string[] = [];
      await forEach(points, async (point) => {
        const { faults } = await strike({ kind, at: { point, strike: strikes } });
        wrong.push(...faults.map((fault) => `${point}: ${fault}`));
      });
      expect(wrong).toEqual([]);
    },
    180_000,
  );
});
