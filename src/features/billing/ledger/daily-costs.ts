import {
  add,
  type Amount,
  parseAmount,
  subtract,
  sum,
  ZERO,
  type DailyCost,
} from '../../../core/money/amount.ts';
import type { Cost, NamedDay, Sums } from './day.ts';

/**
 * What each of these days has cost, from days of the ledger that follow one another, oldest first: the same days in the same order.
 * A day that is paid for in advance costs what its transactions have taken. One that is paid afterwards costs what the month has grown by
 * since the day before it, so the first of them has a cost only where it begins a month. Days that nobody has read, and the day
 * that is not over, have none. Pure.
 */
export function dailyCosts(days: readonly { readonly day: string; readonly record: Cost }[]): DailyCost[] {
  return days.map(({ day, record }, index) => ({ day, cost: costOf(day, record, days[index - 1]?.record) }));
}

function costOf(day: string, { booked, month }: Cost, before: Cost | undefined): Amount | undefined {
  if (booked) return amountOf(booked.total);
  const soFar = parseAmount(month?.amount);
  const until = day.endsWith('-01') ? ZERO : parseAmount(before?.month?.amount);
  return soFar && until && subtract(soFar, until);
}

/** An amount of a type, and of an instance, by its id; '' belongs to none. */
export interface Row {
  readonly type: string;
  readonly id: string;
  readonly amount: Amount;
}

/** What sums are of, exact and in their order; nothing of a day that nobody has read. Pure. */
export function rowsOf(sums: Sums = {}): readonly Row[] {
  return Object.entries(sums).flatMap(([type, rows]) =>
    rows.map(([id, amount]) => ({ type, id, amount: amountOf(amount) })),
  );
}

/** What rows come to by a key of each, in the order in which the keys come. Pure. */
export function sumsBy(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, Amount> {
  const sums = new Map<string, Amount>();
  for (const row of rows) {
    const key = keyOf(row);
    sums.set(key, add(sums.get(key) ?? ZERO, row.amount));
  }
  return sums;
}

/** All of it, exact, or what of it belongs to what `isIn`. Pure. */
export function totalOf(sums: Sums, isIn: (id: string) => boolean = () => true): Amount {
  return sum(rowsOf(sums).flatMap(({ id, amount }) => (isIn(id) ? [amount] : [])));
}

/** What each day has cost of what `isIn`, by its transactions; a day that nobody has read has no cost. Pure. */
export function costsByDay(days: readonly NamedDay[], isIn: (id: string) => boolean): readonly DailyCost[] {
  return days.map(({ day, record: { booked } }) => ({
    day,
    cost: booked && totalOf(booked.used, isIn),
  }));
}

/** A decimal of the record, which is one: its schema says so. */
export function amountOf(text: string): Amount {
  return parseAmount(text) ?? ZERO;
}
