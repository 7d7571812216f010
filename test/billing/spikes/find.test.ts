import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DailyCost } from '../../../src/core/money/amount.ts';
import { daysFrom } from '../../../src/features/billing/ledger/days.ts';
import { findSpike } from '../../../src/features/billing/spikes/find.ts';

const JUDGED_DAYS = 4;
const DAYS = daysFrom('2026-06-01', '2026-11-19');

/** So many days until 19 November 2026, each with what it cost in whole credits; undefined for one that nobody read. */
function costsOf(costs: readonly (number | undefined)[]): DailyCost[] {
  return DAYS.slice(-costs.length).map((day, at) => {
    const cost = costs[at];
    return { day, cost: cost === undefined ? undefined : { units: BigInt(cost), scale: 0 } };
  });
}

const often = (cost: number | undefined, times: number): (number | undefined)[] =>
  Array.from({ length: times }, () => cost);
const spikeOf = (costs: readonly (number | undefined)[], told: readonly string[] = []): string | undefined =>
  findSpike(costsOf(costs), JUDGED_DAYS, new Set(told))?.day;

describe('a day far outside of its pattern', () => {
  it('is found from ten known days on, and a gap is none of them', () => {
    expect(spikeOf([...often(100, 10), 300])).toBe('2026-11-19');
    expect(spikeOf([...often(100, 9), 300])).toBeUndefined();
    expect(spikeOf([...often(undefined, 5), ...often(100, 9), 300])).toBeUndefined();
    expect(spikeOf(Array.from({ length: 30 }, (_, at) => (at % 3 === 0 ? 100 : undefined)))).toBeUndefined();
  });

  it('is compared with its weekday, where four of those are known', () => {
    // 19 November is a Thursday, and batches run on Thursdays.
    const batches = Array.from({ length: 36 }, (_, at) => (at % 7 === 0 ? 300 : 100));
    expect(spikeOf(batches)).toBeUndefined();
    expect(spikeOf([...batches.slice(0, -1), 900])).toBe('2026-11-19');
    // Of fewer, the cheapest says that it may be so.
    expect(spikeOf([...often(100, 3), 300, ...often(100, 6), 300, ...often(100, 6), 300])).toBeUndefined();
    expect(spikeOf([...often(100, 10), 300, ...often(100, 6), 300])).toBe('2026-11-19');
    // 1.6 times is far for a Tuesday, and nothing for a Thursday.
    expect(spikeOf([...batches.slice(0, -3), 160, 100, 300])).toBe('2026-11-17');
  });

  it('matters: by a quarter of what is usual, half of a typical day, and 1', () => {
    expect(spikeOf([...often(100, 30), 151])).toBe('2026-11-19');
    expect(spikeOf([...often(100, 30), 150])).toBeUndefined();
    expect(spikeOf([...often(0, 30), 1])).toBe('2026-11-19');
    expect(spikeOf([...often(0, 30), 0])).toBeUndefined();
    const ofHundredths = (units: number): string | undefined =>
      findSpike(
        costsOf([...often(20, 30), units]).map(({ day, cost }) => ({
          day,
          cost: cost && { ...cost, scale: 2 },
        })),
        JUDGED_DAYS,
      )?.day;
    expect(ofHundredths(119)).toBeUndefined();
    expect(ofHundredths(120)).toBe('2026-11-19');
    const weekends = Array.from({ length: 36 }, (_, at) => (at % 7 === 0 ? 10 : 100));
    expect(spikeOf([...weekends.slice(0, -1), 60])).toBeUndefined();
    expect(spikeOf([...weekends.slice(0, -1), 61])).toBe('2026-11-19');
    const dear = Array.from({ length: 36 }, (_, at) => (at % 7 === 0 ? 1_000 : 100));
    expect(spikeOf([...dear.slice(0, -1), 1_250])).toBeUndefined();
    expect(spikeOf([...dear.slice(0, -1), 1_251])).toBe('2026-11-19');
  });

  it('is never a day that is cheaper than usual', () => {
    const cost = fc.option(fc.integer({ min: 0, max: 1_000 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(cost, { minLength: 11, maxLength: 120, size: 'max' }), (costs) => {
        const found = findSpike(costsOf(costs), JUDGED_DAYS);
        const day = costsOf(costs).find((one) => one.day === found?.day);
        return found === undefined || (day?.cost?.units ?? 0n) > found.usual.units;
      }),
    );
  });

  it('is the first of days that go on as dear, and is told once', () => {
    expect(spikeOf([...often(100, 60), 300, 300])).toBe('2026-11-18');
    expect(spikeOf([...often(100, 60), 300, 300], ['2026-11-18'])).toBeUndefined();
    // What is booked late makes the day before as dear.
    expect(spikeOf([...often(100, 60), 300, 300], ['2026-11-19'])).toBeUndefined();
    for (let days = 5; days < 60; days += 1)
      expect(spikeOf([...often(100, 60), ...often(300, days)]), String(days)).toBeUndefined();
    expect(spikeOf([...often(100, 60), 300, 900], ['2026-11-18'])).toBe('2026-11-19');
    expect(spikeOf([...often(100, 60), 300, 100, 100, 100, 100, 100, 300], ['2026-11-13'])).toBe(
      '2026-11-19',
    );
  });

  it('is none where the account has such days now and then', () => {
    const burst = [...often(100, 19), 300];
    expect(spikeOf([...burst, ...burst, ...burst])).toBeUndefined();
    expect(spikeOf([...burst, ...burst, ...often(100, 19), 600])).toBe('2026-11-19');
    expect(spikeOf([...burst, ...often(100, 19), 300])).toBe('2026-11-19');
    // What comes each month is no burst, and neither is what makes up for a day before it.
    const month = [...often(100, 30), 300];
    expect(spikeOf([...month, ...month, ...month, ...often(100, 9), 300])).toBe('2026-11-19');
    const late = [...often(100, 18), 0, 200];
    expect(spikeOf([...late, ...late, ...late, ...often(100, 19), 300])).toBe('2026-11-19');
  });
});
