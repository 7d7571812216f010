import type { DayOf } from './series.ts';

/** What an instance is charged by: the hours that it runs, or the day. */
export type Per = 'hour' | 'day';

/** Days of one tier that follow one another, on which one unit can have cost the same. */
export interface Level {
  readonly tier: string;
  readonly first: string;
  readonly last: string;
  readonly days: number;
  /** What one unit cost lies between these; without an upper bound where it may have run for no time. */
  readonly low: bigint;
  readonly high: bigint | undefined;
  /** The first and the last day of which it is known how many units there were. They alone say what a unit cost, where there are any. */
  readonly exact: readonly [first: string, last: string] | undefined;
}

/** All days of an instance, as charged by one kind of unit. */
export interface Fit {
  readonly per: Per;
  readonly levels: readonly Level[];
  /** How often the cost of a unit changed while the tier stayed. */
  readonly steps: number;
}

/** All counts of hours divide it, so that a rate by the hour is exact. */
const HOURS_LCM = 5_354_228_880n;
/** Costs may be rounded: 0.5 % either way is the same. */
const [UNDER, OVER, OF] = [995n, 1_005n, 1_000n];
const MAX_STEPS = 2;
const LEAST_DAYS = 3;
const DAY_HOURS = 24;

/**
 * The fewest changes of price with which these days can have been charged so: undefined where no few do, and so it was charged
 * by something else. Pure.
 */
export function fitOf(days: readonly DayOf[], per: Per): Fit | undefined {
  const byTier = new Map<string, Level[]>();
  let [last, range]: [DayOf | undefined, ReturnType<typeof rangeOf>] = [undefined, undefined];
  for (const one of days) {
    // Most days are like the one before.
    if (!last || !isLike(last, one)) range = rangeOf(one, per);
    last = one;
    if (range === 'free') continue;
    if (range === undefined || one.tier === undefined) return undefined;
    const levels = byTier.get(one.tier) ?? [];
    byTier.set(one.tier, levels);
    const level = levels.at(-1);
    const joined = level && joinedBy(level, one.day, range);
    if (joined) levels[levels.length - 1] = joined;
    else {
      const { low, high, isExact } = range;
      const exact = isExact ? ([one.day, one.day] as const) : undefined;
      levels.push({ tier: one.tier, first: one.day, last: one.day, days: 1, low, high, exact });
    }
  }
  const all = [...byTier.values()];
  const steps = all.reduce((count, levels) => count + levels.length - 1, 0);
  // Beside a change of tier, what lasted is cut.
  const isWhole = all.length === 1;
  const isShort = all.some(
    (levels) =>
      levels.length > 1 && (isWhole ? levels : levels.slice(1, -1)).some((level) => level.days < LEAST_DAYS),
  );
  return steps > MAX_STEPS || isShort ? undefined : { per, levels: all.flat(), steps };
}

type Bounds = Pick<Level, 'low' | 'high'>;
type Range = Bounds & { readonly isExact: boolean };

/** The level with a day more; undefined where a unit of that day can't have cost the same. */
function joinedBy(level: Level, day: string, range: Range): Level | undefined {
  const both = boundsOfBoth(level, range);
  if (!both) return undefined;
  const next = { ...level, last: day, days: level.days + 1 };
  if (range.isExact) return { ...next, ...both, exact: [level.exact?.[0] ?? day, day] };
  return level.exact ? next : { ...next, ...both };
}

function isLike({ own, hours }: DayOf, other: DayOf): boolean {
  const { least, most, edges } = other.hours;
  return own === other.own && hours.least === least && hours.most === most && hours.edges === edges;
}

/** What a unit cost on a day; `free` where that day says nothing of it, undefined where it can't be charged by this. */
function rangeOf({ own, hours }: DayOf, per: Per): Range | 'free' | undefined {
  const rate = own * HOURS_LCM;
  if (per === 'day') return own === 0n ? 'free' : around(rate, rate);
  const least = BigInt(Math.max(0, hours.least - hours.edges));
  const most = BigInt(Math.min(DAY_HOURS, hours.most + hours.edges));
  if (own === 0n) return least === 0n ? 'free' : undefined;
  if (most === 0n) return undefined;
  return around(rate / most, least === 0n ? undefined : rate / least);
}

function around(low: bigint, high: bigint | undefined): Range {
  const isExact = low === high;
  return { low: (low * UNDER) / OF, high: high === undefined ? undefined : (high * OVER) / OF, isExact };
}

/** What lies in both; undefined where nothing does. */
function boundsOfBoth(one: Bounds, other: Bounds): Bounds | undefined {
  const low = one.low > other.low ? one.low : other.low;
  const high =
    one.high === undefined || (other.high !== undefined && other.high < one.high) ? other.high : one.high;
  return high !== undefined && high < low ? undefined : { low, high };
}

/** A change of what a unit of one tier costs. */
export interface Rise {
  readonly from: Level;
  readonly to: Level;
}

/** Between the first and the last level of a tier; undefined where its units cost the same. Pure. */
export function riseIn({ levels }: Fit, tier: string): Rise | undefined {
  const of = levels.filter((level) => level.tier === tier);
  const [from, to] = [of[0], of.at(-1)];
  if (!from || !to || from === to || from.days < LEAST_DAYS || to.days < LEAST_DAYS) return undefined;
  return boundsOfBoth(from, to) ? undefined : { from, to };
}

/** Whether two units can have risen, or fallen, by the same part; one that isn't known exactly by any. Pure. */
export function isSameRise(one: Rise, other: Rise): boolean {
  const isUp = ({ from, to }: Rise): boolean => to.low > from.low;
  const isExact = [one, other].every(({ from, to }) => from.exact && to.exact);
  return isUp(one) === isUp(other) && (!isExact || (isWithin(one, other) && isWithin(other, one)));
}

/** Whether the least part by which `one` rose is at most the greatest of `other`. */
function isWithin(one: Rise, other: Rise): boolean {
  if (one.from.high === undefined || other.to.high === undefined) return true;
  return one.to.low * other.from.low <= other.to.high * one.from.high;
}

/** Whether an instance that has `level` would have shown this rise, and hasn't; one that isn't known exactly tells nothing. Pure. */
export function isAgainst(level: Level, { from, to }: Rise): boolean {
  if (!from.exact || !to.exact) return false;
  return level.exact !== undefined && level.exact[0] <= from.last && level.exact[1] >= to.first;
}
