import { type Amount, parseAmount, subtract, sum, ZERO } from '../../../core/money/amount.ts';
import type { DailyCost } from '../../../core/money/daily-cost.ts';
import type { Cost, Sums } from './day.ts';

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

/** All of it, exact, or what of it belongs to what `isIn`. Pure. */
export function totalOf(sums: Sums, isIn: (id: string) => boolean = () => true): Amount {
  const rows = Object.values(sums).flat();
  return sum(rows.flatMap(([id, amount]) => (isIn(id) ? [amountOf(amount)] : [])));
}

/** A decimal of the record, which is one: its schema says so. */
export function amountOf(text: string): Amount {
  return parseAmount(text) ?? ZERO;
}
