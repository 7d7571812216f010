import { beforeAll, expect, it } from 'vitest';
import type { FaultedKind } from '../../faults/kinds.ts';
import { type Strike, STRIKES } from './failpoints.ts';
import { strike } from './struck.ts';

/** What sweeps and watchdogs ask on their own beat is on nobody's road. */
const BEATS = ['operations.listDue', 'operations.nextLookAt', 'operations.listOpen', 'requests.listOpen'];
/** They mostly wait: for locks, for lost answers, for one another. */
const AT_ONCE = 8;

/** Runs `work` for each, some at a time. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const one = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/**
 * Every await of a kind's road, each struck in each of the ways. `most`: of awaits that come often, how many of each
 * name.
 */
export function strikeAtEveryAwait(
  kind: FaultedKind,
  most: Readonly<Record<string, number>>,
  ways: readonly Strike[] = STRIKES,
): void {
  let points: string[] = [];

  beforeAll(async () => {
    const { passed } = await strike({ kind });
    points = [...new Set(passed)].filter((point) => {
      const [name = '', nth] = point.split(/ (?=\d+$)/);
      return !BEATS.includes(name) && Number(nth) <= (most[name] ?? 1);
    });
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

  it.each(ways)(
    'struck by "%s" at any of its awaits is asked at most once and told once, truly',
    async (strikes) => {
      const wrong: string[] = [];
      let struck = 0;
      await forEach(points, async (point) => {
        const { faults, isStruck } = await strike({ kind, at: { point, strike: strikes } });
        if (isStruck) struck++;
        wrong.push(...faults.map((fault) => `${point}: ${fault}`));
      });
      expect(wrong).toEqual([]);
      // How often it looks and edits hangs on the machine, so a few may not be reached.
      expect(struck).toBeGreaterThan(points.length * 0.8);
    },
    180_000,
  );
}
