import { describe, expect, test } from 'vitest';
import { type Amount, compare, formatAmount, type DailyCost } from '../../../src/core/money/amount.ts';
import { amountOf } from '../../../src/features/billing/ledger/daily-costs.ts';
import { costRange, emptyRange, type Known, outlookOf } from '../../../src/features/billing/range/range.ts';
import { coverageOf } from './coverage.ts';
import { KINDS } from './histories.ts';

const DAY_MS = 86_400_000;
const TODAY = Date.UTC(2026, 10, 18);
const NOON = TODAY + DAY_MS / 2;

const amount = (decimal: number): Amount => amountOf(`${decimal}`);

/** Days until yesterday, the oldest first. */
function daysOf(costs: readonly (number | undefined)[]): DailyCost[] {
  return costs.map((cost, index) => ({
    day: new Date(TODAY - (costs.length - index) * DAY_MS).toISOString().slice(0, 10),
    cost: cost === undefined ? undefined : amount(cost),
  }));
}

function known(costs: readonly (number | undefined)[], more: Partial<Known> = {}): Known {
  return { days: daysOf(costs), asOf: NOON, ...more };
}

/** The days from now to each end of the range and to its middle. */
function daysLeft(given: Known, balance: number, perDay?: number): (number | undefined)[] {
  const outlook = outlookOf(given);
  if (!outlook) throw new Error('no range');
  const changes = perDay === undefined ? [] : [{ from: NOON, perDay: amount(perDay) }];
  const { earliest, likely, latest } = emptyRange(outlook, amount(balance), changes);
  return [earliest, likely, latest].map((at) => at && (at - NOON) / DAY_MS);
}

const about100 = (count: number): number[] =>
  Array.from({ length: count }, (_, day) => 95 + ((day * 7) % 11));

test('about four of five accounts run out within the range that was said, whatever their days are like', () => {
  // A few only: the thousands are tried among the chaos.
  const each = 25;
  const shares = KINDS.map((kind) => [kind, coverageOf(kind, each)] as const);
  const overall = shares.reduce((total, [, share]) => total + share, 0) / KINDS.length;
  expect(overall).toBeGreaterThanOrEqual(0.73);
  expect(overall).toBeLessThanOrEqual(0.87);
  for (const [kind, share] of shares) expect(share, kind).toBeGreaterThanOrEqual(0.6);
});

describe('a range', () => {
  test('is not said before there are ten days, nor from days that are all gaps, old, or free', () => {
    expect(outlookOf(known(about100(9)))).toBeUndefined();
    expect(outlookOf(known([...about100(9), undefined, undefined]))).toBeUndefined();
    expect(
      outlookOf(known([...about100(20), ...Array.from({ length: 8 }, () => undefined)])),
    ).toBeUndefined();
    expect(outlookOf(known(Array.from({ length: 20 }, () => 0)))).toBeUndefined();
    expect(outlookOf(known(about100(10)))?.basis).toEqual({
      count: 10,
      gaps: 0,
      late: 0,
      isLevelNew: false,
      isScheduled: false,
    });
  });

  test('is the same for the same days, and says nothing of today, which is not over', () => {
    const days = daysOf(about100(20));
    const today = { day: new Date(TODAY).toISOString().slice(0, 10), cost: amount(3) };
    expect(daysLeft({ days: [...days, today], asOf: NOON }, 1_000)).toEqual(
      daysLeft({ days, asOf: NOON }, 1_000),
    );
  });

  test('is wider with less history', () => {
    const widthOf = (count: number): number => {
      const [earliest = 0, , latest = 0] = daysLeft(known(about100(count)), 2_000);
      return latest - earliest;
    };
    expect(widthOf(10)).toBeGreaterThan(widthOf(30));
    expect(widthOf(30)).toBeGreaterThan(widthOf(90));
  });

  test('knows the weekends, growth, and that a gap is no zero', () => {
    // It is a Wednesday, so that 290 last over a weekend that is nearly free.
    const week = Array.from({ length: 42 }, (_, index) =>
      [0, 6].includes(new Date(TODAY - (42 - index) * DAY_MS).getUTCDay()) ? 10 : 100,
    );
    const [, overWeekend = 0] = daysLeft(known(week), 290);
    expect(overWeekend).toBeGreaterThan(4.4);
    expect(overWeekend).toBeLessThan(5);
    const growing = Array.from({ length: 42 }, (_, index) => 50 + index);
    const [, whileGrowing = 0] = daysLeft(known(growing), 1_000);
    expect(whileGrowing).toBeLessThan(10.5);
    const holes = about100(40).map((cost, index) => (index % 3 === 1 ? undefined : cost));
    const [, withHoles = 0] = daysLeft(known(holes), 1_000);
    expect(withHoles).toBeGreaterThan(9.5);
    expect(withHoles).toBeLessThan(10.5);
  });

  test('knows that growth slows down, where it does', () => {
    const slowing = Array.from(
      { length: 90 },
      (_, index) => (30 + 250 / (1 + Math.exp((60 - index) / 30))) * (0.9 + 0.04 * ((index * 7) % 6)),
    );
    // Growth by as many percent a day would use it up in 33 days, what comes in truth in 42.
    const [, likely = 0] = daysLeft(known(slowing), 10_000);
    expect(likely).toBeGreaterThan(35);
  });

  test('knows that what was expensive on a few days comes again, and that it may come where it never has', () => {
    const rare = about100(60).map((cost, index) => (index % 20 === 7 ? cost * 4 : cost));
    const [earliest = 0, likely = 0, latest = 0] = daysLeft(known(rare), 3_000);
    // By the days' mean it is 26 days, without a single one of those days 30.
    expect(earliest).toBeLessThan(25);
    expect(likely).toBeGreaterThan(25);
    expect(latest).toBeGreaterThan(28);
    const [sooner = 0, , later = 0] = daysLeft(known(about100(12)), 3_000);
    expect(30 - sooner).toBeGreaterThan(2 * (later - 30));
  });

  test('leaves out newest days that are booked in part only', () => {
    const late = [...about100(30), 80, 40, 5];
    expect(outlookOf(known(late))?.basis).toMatchObject({ late: 3, count: 30 });
    const [, likely = 0] = daysLeft(known(late), 1_000);
    expect(likely).toBeGreaterThan(9.5);
    expect(likely).toBeLessThan(10.5);
  });

  test('reaches to what the service says of today where no day was like that', () => {
    const outlook = outlookOf(known(about100(30), { stated: amount(40) }));
    expect(outlook?.basis.isLevelNew).toBe(true);
    const [earliest = 0, , latest = 0] = daysLeft(known(about100(30), { stated: amount(40) }), 1_000);
    expect(earliest).toBeLessThan(12);
    expect(latest).toBeGreaterThan(19);
    expect(outlookOf(known(about100(30), { stated: amount(101) }))?.basis.isLevelNew).toBe(false);
  });

  test('counts what is known to come, and never ends sooner for costing less', () => {
    const before = daysLeft(known(about100(30)), 1_000);
    const after = daysLeft(known(about100(30)), 1_000, -50);
    expect(after[1]).toBeGreaterThan(19);
    before.forEach((days, index) => expect(after[index]).toBeGreaterThanOrEqual(days ?? 0));
    // What is saved beyond all cost pays for nothing: only what is unusual, or grows for months, costs more.
    const [earliest = 0, ...rest] = daysLeft(known(about100(30)), 1_000, -200);
    expect(earliest).toBeGreaterThan(100);
    expect(rest).toEqual([undefined, undefined]);
  });

  test('of a month holds what is booked of it, and draws its gaps and its newest days', () => {
    const month = { from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 11, 1) };
    const of = (costs: readonly (number | undefined)[], soFar?: number): string[] => {
      const outlook = outlookOf(known(costs));
      if (!outlook) throw new Error('no range');
      const range = costRange(outlook, {
        ...month,
        ...(soFar === undefined ? {} : { soFar: amount(soFar) }),
      });
      expect(compare(range.least, range.most)).toBeLessThanOrEqual(0);
      return [range.least, range.likely, range.most].map((one) => formatAmount(one));
    };
    expect(of(about100(40))).toEqual(['2,990', '3,010', '3,020']);
    // The month's first three days aren't known, nor all of yesterday.
    const holes = about100(40).map((cost, index) => (index >= 23 && index < 26 ? undefined : cost));
    expect(of([...holes.slice(0, -1), 20])).toEqual(['2,990', '3,000', '3,030']);
    expect(of(about100(40), 5_000)).toEqual(['6,240', '6,250', '6,270']);
  });
});
