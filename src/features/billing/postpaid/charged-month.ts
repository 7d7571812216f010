import { add, type Amount, parseAmount, ZERO } from '../../../core/money/amount.ts';
import type { BillList } from '../../../platform/hosting/service.ts';
import { asOneDay } from '../ledger/charges.ts';
import type { NamedDay } from '../ledger/day.ts';
import type { MonthLine } from '../month/figures.ts';
import { lastOf, monthBefore } from '../month/month-words.ts';

/** What readings say of a month, each as one day that has cost all of it. */
export interface ChargedMonth {
  /** The newest reading of the month. */
  readonly newest: NamedDay;
  /** That of the month before that it can be compared with, where there is one. */
  readonly before: NamedDay | undefined;
}

/**
 * A month by its newest reading, against the one of the same day a month before; of a month that is over (`isOver`), by those of the
 * last days, and against nothing where its own last day wasn't read, for what it is compared with goes by the name of a whole month.
 * Each reading is of the month up to then, so days between them that nobody has read are missing in none. `days`: those of the month
 * that are over, `earlier`: all of the month before. Undefined where nobody has read it. Pure.
 */
export function chargedMonth(
  days: readonly NamedDay[],
  earlier: readonly NamedDay[],
  isOver: boolean,
): ChargedMonth | undefined {
  const newest = days.findLast(({ record }) => record.charges);
  const charges = newest?.record.charges;
  if (!newest || !charges) return undefined;
  const wanted = comparedWith(newest.day);
  const isPart = isOver && newest.day !== lastOf(newest.day.slice(0, 7));
  const then = isPart ? undefined : earlier.find(({ day }) => day === wanted)?.record.charges;
  return { newest: asOneDay(newest.day, charges), before: then && asOneDay(wanted, then) };
}

/** The day of the month before that a day is compared with: the same, or the last, for the last and where there is none. Pure. */
export function comparedWith(day: string): string {
  const month = day.slice(0, 7);
  const last = lastOf(monthBefore(month));
  const same = `${monthBefore(month)}-${day.slice(8)}`;
  return day === lastOf(month) || same > last ? last : same;
}

/** What was invoiced in the month after, which is when a month is billed. */
export interface Invoiced {
  readonly amount: Amount;
  readonly count: number;
  /** When the newest of them was, Unix ms. */
  readonly at: number;
  /** Whether there may be another, which can't be read. */
  readonly isPart: boolean;
}

/** The invoices of the month after this one: `none` where there are none, `unread` where there may be one that can't be read. Pure. */
export function invoicedFor(
  month: string,
  { bills, incomplete }: Pick<BillList, 'bills' | 'incomplete'>,
): Invoiced | 'none' | 'unread' {
  const ofMonth = bills.flatMap(({ at, type, amount }) => {
    const moment = Date.parse(at);
    const isOther =
      Number.isFinite(moment) && monthBefore(new Date(moment).toISOString().slice(0, 7)) !== month;
    return isOther || !/^invoice$/i.test(type) ? [] : [{ moment, read: parseAmount(amount) }];
  });
  const invoices = ofMonth.flatMap(({ moment, read }) =>
    read && Number.isFinite(moment) ? [{ moment, read }] : [],
  );
  const isPart = incomplete !== undefined || invoices.length < ofMonth.length;
  if (invoices.length === 0) return isPart ? 'unread' : 'none';
  return {
    amount: invoices.reduce<Amount>((all, { read }) => add(all, read), ZERO),
    count: invoices.length,
    at: Math.max(...invoices.map(({ moment }) => moment)),
    isPart,
  };
}

/** Lines by instance, of which the one without an id is what the service counts and doesn't list. Pure. */
export function named(lines: readonly MonthLine[]): MonthLine[] {
  return lines.map((line) => (line.id === undefined ? { ...line, name: 'not listed by the service' } : line));
}
