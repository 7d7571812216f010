import type { DailyCost } from '../../../core/money/amount.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { startOf } from '../ledger/day.ts';

/** A day whose cost is known, in units of the scale of all. */
export interface KnownDay {
  readonly day: string;
  /** Days since 1970; the same weekday has the same rest of 7. */
  readonly number: number;
  readonly units: bigint;
}

/** What a day of a kind costs, by the days before it. */
export interface Usual {
  /** The newest day of the kind that cost the median of them. */
  readonly day: string;
  readonly units: bigint;
  /** It is of the same weekday; else of any. */
  readonly isOfWeekday: boolean;
  /** The median of all days, of whatever kind. */
  readonly typical: bigint;
  /** The median by which days differ from their own usual, in thousandths of that. Most days are told to be as usual without it. */
  readonly spread: () => bigint;
}

/** Five of each weekday: older ones say little of an account that grows. */
const WINDOW_DAYS = 35;
const LEAST_DAYS = 10;
const LEAST_OF_WEEKDAY = 4;
const FEW_OF_WEEKDAY = 2;
const THOUSAND = 1_000n;

/** The known ones of these days, and the scale of their units. A gap is never a zero. Pure. */
export function knownOf(days: readonly DailyCost[]): {
  readonly known: readonly KnownDay[];
  readonly scale: number;
} {
  const scale = days.reduce((most, { cost }) => Math.max(most, cost?.scale ?? 0), 0);
  const known = days.flatMap(({ day, cost }) =>
    cost
      ? [{ day, number: startOf(day) / DAY_MS, units: cost.units * 10n ** BigInt(scale - cost.scale) }]
      : [],
  );
  return { known, scale };
}

/** What the day at `at` would usually cost; undefined where too few days before it are known. `known`: oldest first. Pure. */
export function usualAt(known: readonly KnownDay[], at: number): Usual | undefined {
  const one = known[at];
  if (!one) return undefined;
  let first = at;
  while (first > 0 && one.number - (known[first - 1]?.number ?? 0) <= WINDOW_DAYS) first -= 1;
  const before = known.slice(first, at);
  const ofAll = before.length < LEAST_DAYS ? undefined : medianOf(before);
  if (!ofAll) return undefined;
  const usualOf = weekdaysOf(before, ofAll);
  const usual = usualOf(one);
  return {
    day: usual.day,
    units: usual.units,
    isOfWeekday: usual !== ofAll,
    typical: ofAll.units,
    spread: () => spreadOf(before, usualOf),
  };
}

/**
 * The usual day of a day's weekday, where enough of those are known. Of a few, even the cheapest may be dearer than that of all, as where
 * something runs once a week: then it is that one.
 */
function weekdaysOf(before: readonly KnownDay[], ofAll: KnownDay): (day: KnownDay) => KnownDay {
  const usuals = new Map<number, KnownDay>();
  return ({ number }) => {
    const weekday = number % 7;
    const known = usuals.get(weekday);
    if (known) return known;
    const these = before.filter((one) => one.number % 7 === weekday);
    const usual = these.length < LEAST_OF_WEEKDAY ? dearerOf(ofAll, these) : (medianOf(these) ?? ofAll);
    usuals.set(weekday, usual);
    return usual;
  };
}

function dearerOf(ofAll: KnownDay, few: readonly KnownDay[]): KnownDay {
  const [cheapest] = few.toSorted((one, other) => order(one.units, other.units));
  return cheapest && few.length >= FEW_OF_WEEKDAY && cheapest.units > ofAll.units ? cheapest : ofAll;
}

/** The day that cost the median, the newest of those that did. Of an even number it is the dearer of the two. */
function medianOf(days: readonly KnownDay[]): KnownDay | undefined {
  const units = middleOf(days.map((one) => one.units));
  return days.findLast((one) => one.units === units);
}

function spreadOf(days: readonly KnownDay[], usualOf: (day: KnownDay) => KnownDay): bigint {
  const differences = days.flatMap((one) => {
    const usual = usualOf(one).units;
    return usual === 0n ? [] : [(absolute(one.units - usual) * THOUSAND) / usual];
  });
  return middleOf(differences) ?? 0n;
}

function middleOf(numbers: readonly bigint[]): bigint | undefined {
  const sorted = numbers.toSorted(order);
  return sorted[Math.floor(sorted.length / 2)];
}

function order(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function absolute(units: bigint): bigint {
  return units < 0n ? -units : units;
}
