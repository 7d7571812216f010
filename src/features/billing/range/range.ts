import {
  type Amount,
  add,
  parseAmount,
  sum,
  toDecimal,
  ZERO,
  type DailyCost,
} from '../../../core/money/amount.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { type Fit, fitDays, pathOf, PATHS } from './paths.ts';
import type { SeenDay } from './models.ts';
import { isAtLeast, type Scheduled } from './scheduled.ts';

/**
 * What is likely to come, as a range, from what days have cost: within it in four of five cases. Amounts are exact until they get
 * here; inside it is statistics, in floats, and what comes out is rounded as widely as it is known. The same figures give the
 * same range. Times are Unix ms, days are UTC's.
 */

/** What is known on which a range stands. */
export interface Known {
  /** The oldest first. Today and what comes after it are left out, since no such day is whole. */
  readonly days: readonly DailyCost[];
  /** Now. */
  readonly asOf: number;
  /** What a day costs by what the service says now. */
  readonly stated?: Amount | undefined;
  /** What the schedules that are set make of the days. */
  readonly scheduled?: Scheduled | undefined;
}

/** Something that will cost so much more a day from a moment on; less, where it is below 0. */
export interface Change {
  readonly from: number;
  readonly perDay: Amount;
}

/** The days that a range stands on. */
export interface Basis {
  /** How many days have a figure that counts. */
  readonly count: number;
  /** How many between the first and yesterday have none. */
  readonly gaps: number;
  /** How many of the newest look booked in part only, so that they don't count. */
  readonly late: number;
  /** What the service says of today lies outside of what the days had, so that the range reaches from the one to the other. */
  readonly isLevelNew: boolean;
  /** Schedules that are set change what comes. */
  readonly isScheduled: boolean;
}

export interface Outlook {
  readonly basis: Basis;
  readonly today: number;
  readonly asOf: number;
  readonly fit: Fit;
  readonly days: readonly { readonly start: number; readonly cost: Amount | undefined }[];
  /** Starts of the newest days that look booked in part only. */
  readonly late: readonly number[];
  /** What the service says of a day against the days before; undefined where it lies among them. */
  readonly levelNow: number | undefined;
  /** Undefined where schedules change next to nothing. */
  readonly scheduled: Scheduled | undefined;
}

/** A moment each of ten is before, half are, nine of ten are. Undefined: beyond what a date says anything of. */
export interface EmptyRange {
  readonly earliest: number | undefined;
  readonly likely: number | undefined;
  readonly latest: number | undefined;
}

export interface CostRange {
  readonly least: Amount;
  readonly likely: Amount;
  readonly most: Amount;
}

/** Fewer days than these say nothing of a range. */
export const MIN_DAYS = 10;
/** Older ones say nothing of what comes: thirteen whole weeks. */
export const MAX_DAYS = 91;
/** Where the newest figure is older, it isn't known what goes on now. */
const MAX_AGE_DAYS = 7;
const MAX_AHEAD_DAYS = 730;
/** What the service says of today is compared with so many days. */
const RECENT_DAYS = 14;
const OUTSIDE_BY = 0.05;
/** Schedules that change so small a part of the cost change nothing. */
const NOTABLE = 0.01;
/** Digits of an amount that is only likely. */
const DIGITS = 3;

/** What the days tell of those to come; undefined where there are too few of them for a range. Pure. */
export function outlookOf({ days: given, asOf, stated, scheduled: set }: Known): Outlook | undefined {
  const today = Math.floor(asOf / DAY_MS);
  const days = given
    .map(({ day, cost }) => ({ start: Date.parse(`${day}T00:00:00Z`), cost }))
    .filter(({ start }) => start < today * DAY_MS && start >= (today - MAX_DAYS) * DAY_MS);
  const seen = days.flatMap(({ start, cost }): SeenDay[] =>
    cost ? [{ time: start / DAY_MS - today, cost: Math.max(0, floatOf(cost)) }] : [],
  );
  const [first] = seen;
  const isOld = (seen.at(-1)?.time ?? -MAX_AHEAD_DAYS) < -MAX_AGE_DAYS;
  if (!first || seen.length < MIN_DAYS || isOld || seen.every(({ cost }) => cost === 0)) return undefined;
  const mean = seen.reduce((total, { cost }) => total + cost, 0) / seen.length;
  const scheduled = set && isAtLeast(set, today, mean * NOTABLE) ? set : undefined;
  const restated = seen.map(({ time, cost }) => ({
    time,
    cost: Math.max(0, cost + (scheduled?.restated.get((today + time) * DAY_MS) ?? 0)),
  }));
  if (restated.every(({ cost }) => cost === 0)) return undefined;
  const fit = fitDays(restated, new Date(asOf).getUTCDay());
  const { late } = fit;
  // What a moment costs says nothing of a day on which a schedule starts and stops.
  const levelNow = scheduled || !stated ? undefined : levelOf(floatOf(stated), seen);
  return {
    basis: {
      count: seen.length - late.length,
      gaps: -first.time - seen.length,
      late: late.length,
      isLevelNew: levelNow !== undefined,
      isScheduled: scheduled !== undefined,
    },
    today,
    asOf,
    fit,
    days,
    late: late.map((time) => (today + time) * DAY_MS),
    levelNow,
    scheduled,
  };
}

/** When a balance is used up that was read at the outlook's moment. `changes`: what is known to come. Pure. */
export function emptyRange(outlook: Outlook, balance: Amount, changes: readonly Change[] = []): EmptyRange {
  const { asOf, today } = outlook;
  const ends = futures(outlook, changes).map((costOf) => {
    let left = floatOf(balance);
    let at = asOf;
    for (let time = 0; time < MAX_AHEAD_DAYS; time++) {
      const dayEnds = (today + time + 1) * DAY_MS;
      const cost = costOf(time);
      const part = cost * ((dayEnds - at) / DAY_MS);
      if (part >= left) return at + (left / cost) * DAY_MS;
      left -= part;
      at = dayEnds;
    }
    return Number.POSITIVE_INFINITY;
  });
  const [earliest, likely, latest] = partsOf(ends).map((at) => (Number.isFinite(at) ? at : undefined));
  return { earliest, likely, latest };
}

/**
 * What the days from `from` to `to` (Unix ms, starts of days) cost in all. `soFar`: what of it is known to have been spent until
 * now, where somebody counts it; else it is the sum of the days, with what is likely for those that nobody knows. Pure.
 */
export function costRange(
  outlook: Outlook,
  {
    from,
    to,
    soFar,
    changes = [],
  }: { from: number; to: number; soFar?: Amount; changes?: readonly Change[] },
): CostRange {
  const { asOf, today, late } = outlook;
  const first = from / DAY_MS - today;
  const known = new Map(outlook.days.map(({ start, cost }) => [start / DAY_MS - today, cost]));
  const isLate = (time: number): boolean => late.includes((today + time) * DAY_MS);
  const left = 1 - (asOf / DAY_MS - today);
  const spent =
    soFar ??
    sum([...known].flatMap(([time, cost]) => (cost && time >= first && !isLate(time) ? [cost] : [])));
  const more = futures(outlook, changes).map((costOf) => {
    let total = 0;
    for (let time = first; time < to / DAY_MS - today; time++) {
      const cost = costOf(time);
      const booked = known.get(time);
      const part = booked ? floatOf(booked) : 0;
      if (time > 0) total += cost;
      else if (time === 0) total += soFar ? cost * left : cost;
      // What was booked of it is in what somebody counts already.
      else if (isLate(time)) total += Math.max(cost, part) - (soFar ? part : 0);
      else if (!booked && !soFar) total += cost;
    }
    return total;
  });
  const [least = ZERO, likely = ZERO, most = ZERO] = partsOf(more).map((one) =>
    rounded(add(spent, amountOf(one))),
  );
  return { least, likely, most };
}

/** The futures, with what is known to come. */
function futures(
  { fit, levelNow, scheduled, asOf, today }: Outlook,
  changes: readonly Change[],
): ((time: number) => number)[] {
  const coming = changes.map(({ from, perDay }) => ({
    perDay: floatOf(perDay),
    from: Math.max(from, asOf) / DAY_MS - today,
  }));
  const known: number[] = [];
  const moreOn = (time: number): number =>
    (known[time] ??= coming.reduce(
      (total, { perDay, from }) => total + perDay * Math.min(1, Math.max(0, time + 1 - from)),
      scheduled ? scheduled.moreOn((today + time) * DAY_MS) : 0,
    ));
  return Array.from({ length: PATHS }, (_, index) => {
    const path = pathOf(fit, index);
    // Whether it stays so as the service says it now, nobody knows yet: each future goes a part of the way.
    const share = ((index * 7) % PATHS) / PATHS;
    const factor = levelNow === undefined ? 1 : 1 + share * (levelNow - 1);
    return (time) => {
      const cost = path(time);
      if (time >= 0) return Math.max(0, cost * factor + moreOn(time));
      return Math.max(0, cost - (scheduled?.restated.get((today + time) * DAY_MS) ?? 0));
    };
  });
}

/** What is said of today against the mean of the newest week; undefined where it lies among the newest days. */
function levelOf(stated: number, seen: readonly SeenDay[]): number | undefined {
  const recent = seen.slice(-RECENT_DAYS).map(({ cost }) => cost);
  const week = recent.slice(-7);
  const mean = week.reduce((total, cost) => total + cost, 0) / week.length;
  const isAmong =
    stated >= Math.min(...recent) * (1 - OUTSIDE_BY) && stated <= Math.max(...recent) * (1 + OUTSIDE_BY);
  return isAmong || mean === 0 ? undefined : Math.max(0, stated) / mean;
}

/** What a tenth of them is below, a half is, and nine tenths are. */
function partsOf(all: readonly number[]): [number, number, number] {
  const sorted = all.toSorted((one, other) => one - other);
  const at = (part: number): number => sorted[Math.floor(part * sorted.length)] ?? Number.POSITIVE_INFINITY;
  return [at(0.1), at(0.5), at(0.9)];
}

function floatOf(amount: Amount): number {
  return Number(toDecimal(amount));
}

/** What is near enough to be added, in ten-thousandths. */
function amountOf(float: number): Amount {
  return { units: BigInt(Math.round(float * 10_000)), scale: 4 };
}

/** As many digits as are known of it: 6,120 for 6,118.37, and 12.3 for 12.3041. */
function rounded(amount: Amount): Amount {
  const float = floatOf(amount);
  const size = Math.floor(Math.log10(Math.max(Math.abs(float), 0.1))) + 1;
  const unit = 10 ** Math.max(0, size - DIGITS);
  const decimals = Math.min(2, Math.max(0, DIGITS - size));
  if (unit > 1) return { units: BigInt(Math.round(float / unit)) * BigInt(unit), scale: 0 };
  return parseAmount(float.toFixed(decimals)) ?? ZERO;
}
