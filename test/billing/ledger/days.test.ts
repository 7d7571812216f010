import { expect, it, test } from 'vitest';
import { toDecimal } from '../../../src/core/money/amount.ts';
import { dailyCosts, totalOf } from '../../../src/features/billing/ledger/daily-costs.ts';
import { type Booked, type Day, daySchema, type NamedDay } from '../../../src/features/billing/ledger/day.ts';
import { daysFrom } from '../../../src/features/billing/ledger/days.ts';
import { withBalance, withMonth } from '../../../src/features/billing/ledger/note-look.ts';
import { dayKey } from '../../../src/features/billing/ledger/days.ts';
import type { BalanceRead } from '../../../src/features/billing/alerts/balance-read.ts';
import { bookedOf } from '../../support/booked-of.ts';
import { instead } from '../../support/instead.ts';
import { play } from '../../support/sandbox.ts';
import { connectTo } from '../../support/shared-redis.ts';

const BOOKED = bookedOf({});

function costsOf(days: readonly NamedDay[]): (string | undefined)[] {
  return dailyCosts(days).map(({ cost }) => cost && toDecimal(cost));
}

test('a day costs what its transactions have taken, to the last digit, and one that nobody read has no cost', () => {
  const used = {
    daily_charge: [
      ['101', '0.10000000000000000001'],
      ['102', '3'],
    ],
    fee: [['', '0.2']],
  } satisfies Booked['used'];
  const days = daysFrom('2026-10-31', '2026-11-02');
  expect(days).toEqual(['2026-10-31', '2026-11-01', '2026-11-02']);
  const records: Day[] = [
    { booked: { ...BOOKED, used, total: toDecimal(totalOf(used)) } },
    {},
    { booked: BOOKED },
  ];
  expect(costsOf(days.map((day, at) => ({ day, record: records[at] ?? {} })))).toEqual([
    '3.30000000000000000001',
    undefined,
    '0',
  ]);
});

test('a day that is paid afterwards costs what the month has grown by, and none after a gap', () => {
  const soFar: Readonly<Record<string, string>> = {
    '2026-10-31': '90.5',
    '2026-11-01': '3',
    '2026-11-02': '4.25',
    '2026-11-04': '8',
  };
  const days = daysFrom('2026-10-31', '2026-11-04').map((day): NamedDay => {
    const amount = soFar[day];
    return { day, record: amount === undefined ? {} : { month: { amount, at: 0 } } };
  });
  expect(costsOf(days)).toEqual([undefined, '3', '1.25', undefined, undefined]);
});

test('what may be the last month still is no cost of this one, until it was seen to fall', () => {
  const at = Date.parse('2026-11-01T00:05Z');
  const october: Day = { month: { amount: '90', at: 0 } };
  const first = { day: '2026-11-01', record: {} };
  expect(withMonth(first, '91', october, at)).toBeUndefined();
  expect(withMonth(first, '91', undefined, at)).toBeUndefined();
  const fallen = withMonth(first, '0.5', october, at) ?? {};
  expect(fallen).toEqual({ month: { amount: '0.5', at } });
  expect(withMonth({ ...first, record: fallen }, '95', october, at + 3_600_000)).toEqual({
    month: { amount: '95', at: at + 3_600_000 },
  });
});

test('a look is worth a write where something is new, and what was seen before stays', () => {
  const at = Date.parse('2026-11-01T03:05Z');
  const web = { id: '101', name: 'web-1', tier: 'balanced', status: 'running' } as const;
  const reads = (...instances: NonNullable<BalanceRead['list']>['instances'][number][]): BalanceRead => ({
    balance: '5',
    at,
    list: { at, instances, isWhole: true },
  });
  const first = withBalance({}, reads(web), at) ?? {};
  expect(first).toEqual({
    balance: { first: { amount: '5', at }, last: { amount: '5', at } },
    seen: { hours: 8, instances: { balanced: [['101', 'web-1', 8]] } },
  });
  expect(withBalance(first, { ...reads(web), balance: '4' }, at + 60_000)).toBeUndefined();
  const renamed = withBalance(first, reads({ ...web, name: 'web-one', status: 'stopped' }), at + 60_000);
  expect(renamed?.seen?.instances).toEqual({ balanced: [['101', 'web-one', 8]] });
  const gone = withBalance(first, { ...reads(), balance: '4' }, at + 3_600_000);
  expect(gone?.seen).toEqual({ hours: 24, instances: { balanced: [['101', 'web-1', 8]] } });
  expect(gone?.balance).toEqual({ first: { amount: '5', at }, last: { amount: '4', at: at + 3_600_000 } });
});

it('keeps what a look at the balance saw, by the day of the calendar, for 400 days', async () => {
  const now = Date.parse('2026-11-20T03:05Z');
  const sandbox = await play({
    env: { LAMPLIGHTER_EVERYONE: 'finance', BILLING_CHANNELS: 'C0OPS000001' },
    faultPoints: instead('calendar', 'today', () => Promise.resolve(now)),
  });
  const redis = connectTo(sandbox);
  await sandbox.look();
  const stored = await redis.hget(dayKey('2026-11-20'), 'record');
  const { balance, seen } = daySchema.parse(JSON.parse(stored ?? '{}'));
  expect(balance?.last).toEqual({ amount: '6300', at: now });
  expect(seen?.hours).toBe(8);
  expect(seen?.instances['performance']).toEqual([['105', 'db-1', 8]]);
  expect(await redis.pttl(dayKey('2026-11-20'))).toBeGreaterThan(399 * 86_400_000);
});

test('a row of a day that is not what it should be is never read as a sum or a sight', () => {
  const isRead = (row: unknown[]): boolean => {
    const instances = { small: [row] };
    const asSeen = daySchema.safeParse({ seen: { hours: 1, instances } }).success;
    const asSum = daySchema.safeParse({ booked: { ...BOOKED, used: { fee: [row] } } }).success;
    return asSeen || asSum;
  };
  expect(isRead(['101', 'web-1', 3])).toBe(true);
  expect(isRead(['101', '3.5'])).toBe(true);
  for (const row of [[], ['101'], [101, '3.5'], ['101', 3.5], ['101', '3,5'], ['101', 'a lot']])
    expect(isRead(row), JSON.stringify(row)).toBe(false);
  for (const row of [
    [101, 'web-1', 3],
    ['101', 7, 3],
    ['101', 'web-1', 0.5],
    ['101', 'web-1', '3'],
  ])
    expect(isRead(row), JSON.stringify(row)).toBe(false);
  expect(daySchema.safeParse({ booked: { ...BOOKED, used: { fee: 'x' } } }).success).toBe(false);
});
