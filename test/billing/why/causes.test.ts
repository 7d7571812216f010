import { expect, test } from 'vitest';
import { toDecimal } from '../../../src/core/money/amount.ts';
import type { NamedDay } from '../../../src/features/billing/ledger/day.ts';
import { daysFrom } from '../../../src/features/billing/ledger/days.ts';
import { bookedOf } from '../../support/booked-of.ts';
import { explain } from '../../../src/features/billing/why/explain.ts';

const ALL = 0xffffff;
const [BEFORE, NOW] = [daysFrom('2026-10-01', '2026-10-30'), daysFrom('2026-11-01', '2026-11-30')];

/** A day of one instance: what it costs, the hours in which it was seen running as bits, and its add-ons. */
interface OneDay {
  readonly cost: number;
  readonly hours: number;
  readonly addons?: number;
}
type Made = (side: 'before' | 'now', at: number) => OneDay;

function daysOf(names: readonly string[], side: 'before' | 'now', made: readonly Made[]): NamedDay[] {
  return names.map((day, at): NamedDay => {
    const all = made.map((one, index) => ({ id: String(101 + index), ...one(side, at) }));
    const rowsOf = (amount: (one: OneDay) => number): [string, string][] =>
      all.flatMap((one): [string, string][] => (amount(one) === 0 ? [] : [[one.id, String(amount(one))]]));
    const used = {
      daily_charge: rowsOf(({ cost }) => cost),
      addon_charge: rowsOf(({ addons = 0 }) => addons),
    };
    const rows = all.map(({ id, hours }): [string, string, number] => [id, '', hours]);
    return {
      day,
      record: {
        booked: bookedOf(used),
        seen: { hours: ALL, instances: { balanced: rows } },
      },
    };
  });
}

/** The causes that are told, as "on 101 -12.5", and what is left. */
function toldOf(made: readonly Made[], now = NOW): string[] {
  const { changes, unexplained } = explain(
    daysOf(BEFORE, 'before', made),
    daysOf(now, 'now', made),
    () => true,
  );
  return [
    ...changes.map(({ cause, amount }) =>
      [cause.kind, 'id' in cause ? cause.id : [], toDecimal(amount)].flat().join(' '),
    ),
    `left ${toDecimal(unexplained)}`,
  ];
}

/** It always runs, and costs so much a day before and now. */
const always =
  (before: number, now: number): Made =>
  (side) => ({ cost: side === 'now' ? now : before, hours: ALL });

test('a new price is that of a tier only where none of it kept the old one', () => {
  expect(toldOf([always(10, 12), always(20, 24)])).toEqual(['price 180', 'left 0']);
  expect(toldOf([always(10, 12), always(20, 24), always(10, 10)])).toEqual(['left 180']);
});

test('a new price is that of a tier only where all of it rose by the same part', () => {
  expect(toldOf([always(10, 12), always(20, 20.8)])).toEqual(['left 84.0']);
});

test('hours that are seen as whole ones are no reason where a few more can come from that', () => {
  // Two runs or three of less than an hour each, some seen in an hour more: 40 hours, and 44.
  const short: Made = (side, at) => {
    if (at >= 20) return { cost: 0, hours: 0 };
    const isLonger = side === 'now' && at < 4;
    return { cost: side === 'now' ? 2.2 : 2, hours: (isLonger ? 0b111 : 0b11) << 8 };
  };
  expect(toldOf([short])).toEqual(['left 4.0']);
});

test('add-ons that cost less since their instance was on for fewer days are no add-ons that went', () => {
  const fewer: Made = (side, at) =>
    side === 'now' && at >= 10 ? { cost: 0, hours: 0 } : { cost: 24, hours: ALL, addons: 3 };
  expect(toldOf([fewer])).toEqual(['on 101 -540', 'left 0']);
  const gone: Made = (side) => ({ cost: 24, hours: ALL, addons: side === 'now' ? 0 : 3 });
  expect(toldOf([gone])).toEqual(['addon 101 -90', 'left 0']);
});

test('what is charged by the day has no new price by the hour where it ran for fewer of them', () => {
  const halved: Made = (side, at) => {
    if (side === 'before') return { cost: 24, hours: ALL };
    return at < 20 ? { cost: 24, hours: 0xfff } : { cost: 0, hours: 0 };
  };
  expect(toldOf([halved])).toEqual(['on 101 -240', 'left 0']);
});

test('what costs the same whether it runs or not has no cause in its hours', () => {
  const idle: Made = (side) => ({
    cost: side === 'before' ? 24 : 26,
    hours: side === 'before' ? ALL : 0xfff,
  });
  expect(toldOf([idle])).toEqual(['left 60']);
});

test('a month with more days costs more only for what costs each day', () => {
  const longer = [...NOW, '2026-12-01'];
  expect(toldOf([always(10, 10)], longer)).toEqual(['length 10', 'left 0']);
  const some: Made = (_, at) => (at < 10 ? { cost: 10, hours: ALL } : { cost: 0, hours: 0 });
  expect(toldOf([some], longer)).toEqual(['left 0']);
});

test('one that has several causes has its difference split between them, to the last digit', () => {
  const both: Made = (side, at) =>
    side === 'before' ? { cost: 24, hours: ALL } : at < 20 ? { cost: 30, hours: ALL } : { cost: 0, hours: 0 };
  expect(toldOf([both])).toEqual(['on 101 -240', 'price 120', 'left 0']);
});

test('what ran for nothing before has not started, and what runs for nothing now has not gone', () => {
  expect(toldOf([(side) => ({ cost: side === 'now' ? 5 : 0, hours: ALL })])).toEqual(['left 150']);
  expect(toldOf([(side) => ({ cost: side === 'now' ? 0 : 5, hours: ALL })])).toEqual(['left -150']);
});
