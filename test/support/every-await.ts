import type { Timings } from '../../src/core/timings.ts';
import { beforeAll, expect, it } from 'vitest';
import type { FaultedKind } from '../../faults/kinds.ts';
import { type Injection, INJECTIONS } from './failpoints.ts';
import { inject } from './inject.ts';

/** What sweeps and watchdogs ask on their own beat is on nobody's road. */
const BEATS = [
  'boards.listDue',
  'operations.listDue',
  'operations.nextPollAt',
  'operations.listOpen',
  'operations.listOpenLatest',
  'requests.listDue',
];
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
 * Every await of a kind's road, each interrupted in each of the ways. `most`: of awaits that come often, how many of each
 * name.
 */
export function strikeAtEveryAwait(
  kind: FaultedKind,
  most: Readonly<Record<string, number>>,
  {
    ways = INJECTIONS,
    timings = {},
  }: { readonly ways?: readonly Injection[]; readonly timings?: Partial<Timings> } = {},
): void {
  let points: string[] = [];

  beforeAll(async () => {
    const { passed } = await inject({ kind, timings });
    points = [...new Set(passed)].filter((point) => {
      const [name = '', nth] = point.split(/ (?=\d+$)/);
      return !BEATS.includes(name) && Number(nth) <= (most[name] ?? 1);
    });
  });

  it('has awaits at every part of its road', () => {
    const parts = new Set(points.map((point) => point.split('.')[0]));
    for (const part of ['requests', 'access', 'hosting', 'operations', 'queue', 'messenger']) {
      expect(parts).toContain(part);
    }
  });

  it.each(ways)(
    'interrupted by "%s" at any of its awaits is asked at most once and reported once, truthfully',
    async (injections) => {
      const wrong: string[] = [];
      const missed: string[] = [];
      await forEach(points, async (point) => {
        const { faults, isInjected } = await inject({
          kind,
          timings,
          at: { point, inject: injections },
        }).catch(
          // The others are struck all the same, and which did not end is named.
          (error: unknown) => ({ faults: [String(error)], isInjected: true }),
        );
        if (!isInjected) missed.push(point);
        wrong.push(...faults.map((fault) => `${point}: ${fault}`));
      });
      expect(wrong).toEqual([]);
      // How often it looks and edits hangs on the machine, so that only what came again may not be reached, and a rest.
      expect(missed.filter((point) => point.endsWith(' 1') && point !== 'boards.rest 1')).toEqual([]);
      expect(missed.length, `not struck: ${missed.join(', ')}`).toBeLessThan(points.length * 0.2);
    },
    900_000,
  );
}
