import { add, type Amount, compare, subtract, sum, ZERO } from '../../../core/money/amount.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { isOfAddons, withoutAddon, count, type Maps } from '../ledger/booked.ts';
import { rowsOf } from '../ledger/daily-costs.ts';
import { type NamedDay, startOf, type Sums } from '../ledger/day.ts';

/** What of a day's cost is no reason to speak of it. */
export interface SetAside {
  /** It came a month before as well. */
  readonly monthly: Amount;
  /** So much less was booked on the days just before. */
  readonly late: Amount;
  /** Somebody has said that it is expected. */
  readonly expected: Amount;
}

/** What a spike came from, as people answer it: an instance, or a type of what belongs to none. */
export type Source = { readonly id: string } | { readonly type: string };

/** A charge of each month comes again after so many days, and is rare between. */
const MONTH_DAYS = [25, 34] as const;
const RARE_DAYS = 2;
/** What is booked late comes within so many days. */
const LATE_DAYS = 4;
const WEEK_DAYS = 7;
/** So many weeks before, and so many of them at least, say what is usual on a weekday. */
const WEEKS = 4;
const LEAST_WEEKS = 3;
/** So many full days before a day say what is set aside of it. */
export const LOOKED_DAYS = LATE_DAYS + WEEKS * WEEK_DAYS;

/** Says what is set aside of a day, by full days: each amount of it once, for the first of these reasons. Pure. */
export function createSetAside(
  days: readonly NamedDay[],
): (day: string, expected: readonly Source[]) => SetAside {
  const tables = new Map(
    days.flatMap(({ day, record: { booked } }) =>
      booked ? [[numberOf(day), tableOf(booked.used)] as const] : [],
    ),
  );
  return (day, expected) => {
    const isExpected = isOneOf(expected);
    let [monthly, late, quiet] = [ZERO, ZERO, ZERO];
    for (const { type, id, amount, at } of chargesOf(tables, numberOf(day))) {
      const fee = least(amount, monthAgo(at));
      const more = most(ZERO, subtract(subtract(amount, fee), usualOf(at, 0)));
      const caughtUp = compare(more, ZERO) > 0 ? least(more, lackOf(at)) : ZERO;
      monthly = add(monthly, fee);
      late = add(late, caughtUp);
      if (isExpected(type, id)) quiet = add(quiet, subtract(more, caughtUp));
    }
    return { monthly, late, expected: quiet };
  };
}

function isOneOf(sources: readonly Source[]): (type: string, id: string) => boolean {
  const ids = new Set(sources.flatMap((one) => ('id' in one ? [one.id] : [])));
  const types = new Set(sources.flatMap((one) => ('type' in one ? [withoutAddon(one.type)] : [])));
  // Add-ons of instances are of their instance.
  return (type, id) => ids.has(id) || (types.has(type) && (id === '' || !isOfAddons(type)));
}

/** All that is set aside. Pure. */
export function totalOf({ monthly, late, expected }: SetAside): Amount {
  return sum([monthly, late, expected]);
}

/** What one instance was charged of one type so many days before; undefined where nobody read that day. */
type At = (daysBefore: number) => Amount | undefined;

interface Charge {
  readonly type: string;
  readonly id: string;
  readonly amount: Amount;
  readonly at: At;
}

type Table = ReadonlyMap<string, ReadonlyMap<string, Amount>>;

/** What was spent by type and instance. All add-ons are one type: of older days nobody knows which they were. */
function tableOf(used: Sums): Table {
  const table: Maps = new Map();
  for (const { type, id, amount } of rowsOf(used)) count(table, withoutAddon(type), id, amount);
  return table;
}

function chargesOf(tables: ReadonlyMap<number, Table>, day: number): readonly Charge[] {
  return [...(tables.get(day) ?? [])].flatMap(([type, rows]) =>
    [...rows].map(([id, amount]) => ({
      type,
      id,
      amount,
      at: (daysBefore: number) => {
        const table = tables.get(day - daysBefore);
        return table && (table.get(type)?.get(id) ?? ZERO);
      },
    })),
  );
}

function numberOf(day: string): number {
  return startOf(day) / DAY_MS;
}

/** What was charged a month before of what hardly comes between; else nothing. */
function monthAgo(at: At): Amount {
  const [from, to] = MONTH_DAYS;
  let between = 0;
  for (let before = 1; before < from; before += 1) {
    if (compare(at(before) ?? ZERO, ZERO) > 0) between += 1;
    if (between > RARE_DAYS) return ZERO;
  }
  return daysBetween(from, to).reduce((dearest, before) => most(dearest, at(before) ?? ZERO), ZERO);
}

/** What is usual so many days before: on that weekday, else of late. */
function usualOf(at: At, daysBefore: number): Amount {
  const weeks = daysBetween(1, WEEKS).flatMap((week) => at(daysBefore + week * WEEK_DAYS) ?? []);
  if (weeks.length >= LEAST_WEEKS) return middleOf(weeks);
  return middleOf(daysBetween(1, 2 * WEEK_DAYS).flatMap((day) => at(daysBefore + day) ?? []));
}

/** By how much the days just before lack what is usual, as far as none of them made up for it. */
function lackOf(at: At): Amount {
  return daysBetween(1, LATE_DAYS)
    .toReversed()
    .reduce((lack, before) => {
      const amount = at(before);
      return amount ? most(ZERO, add(lack, subtract(usualOf(at, before), amount))) : lack;
    }, ZERO);
}

/** The lower of two in the middle. */
function middleOf(amounts: readonly Amount[]): Amount {
  return amounts.toSorted(compare)[Math.floor((amounts.length - 1) / 2)] ?? ZERO;
}

function daysBetween(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function least(one: Amount, other: Amount): Amount {
  return compare(one, other) <= 0 ? one : other;
}

function most(one: Amount, other: Amount): Amount {
  return compare(one, other) >= 0 ? one : other;
}
