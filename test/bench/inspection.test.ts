import { describe, expect, it } from 'vitest';
import { costOf, fixedLooks, logNormal, optimalLooks } from '../../bench/harness/inspection.ts';

const J = (durations: readonly number[], looks: readonly number[]): number => {
  const { calls, meanDelayS } = costOf([{ durations, looks }]);
  return calls + meanDelayS;
};

describe('the optimum that schedules are compared with', () => {
  it('looks once at what always takes the same time', () => {
    expect(optimalLooks([7, 7, 7], 1).map(Math.round)).toEqual([7]);
  });

  it('looks at either end where there are two and a call is cheap, and once where it is dear', () => {
    expect(optimalLooks([5, 20], 1).map(Math.round)).toEqual([5, 20]);
    expect(optimalLooks([5, 6], 10).map(Math.round)).toEqual([6]);
  });

  it('is no worse than any fixed interval', () => {
    const durations = logNormal(25, 0.4, 500);
    const best = J(durations, optimalLooks(durations, 1));
    for (const everyS of [1, 2, 3, 5, 8, 13, 21])
      expect(best).toBeLessThanOrEqual(J(durations, fixedLooks(durations, everyS)));
  });

  it('has durations with the median that was asked for', () => {
    expect(logNormal(25, 0.4, 999)[499]).toBeCloseTo(25, 3);
  });
});
