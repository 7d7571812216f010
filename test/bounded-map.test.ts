import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BoundedMap } from '../src/platform/bounded-map.ts';
import { RULE_RUNS } from './support/runs.ts';

it('holds what was set last, up to as many as it may', () => {
  const sets = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer()));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 6 }), sets, (most, given) => {
      const map = new BoundedMap<number, number>(most);
      for (const [key, value] of given) map.set(key, value);
      const isLast = ([key]: [number, number], at: number): boolean =>
        given.findLastIndex(([other]) => other === key) === at;
      const kept = most === 0 ? [] : given.filter(isLast).slice(-most);
      expect([...map]).toEqual(kept);
    }),
    { numRuns: RULE_RUNS },
  );
});
