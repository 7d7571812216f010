import { type Fits, fitAll, offBest, type SeenDay } from './models.ts';
import { findUnusual, type Unusual } from './unusual.ts';

/** What the days that were seen tell: what is usual, by the models, and what was unusual beside it. */
export interface Fit {
  readonly fits: Fits;
  readonly unusual: Unusual;
  /** Which of the newest look booked in part only, so that they don't count. */
  readonly late: readonly number[];
}

/** The service may book the newest days in part only. */
const MAX_LATE_DAYS = 3;
/** A newest day below nine in ten of what its models expect is taken for one of those. */
const LATE_SPREADS = 1.28;
/** Days that are needed to tell what the newest ones should have cost. */
const MIN_SURE_DAYS = 6;

/** What days tell of which at least one cost something; the oldest first. Pure. */
export function fitDays(seen: readonly SeenDay[], weekdayOfToday: number): Fit {
  const late = findLate(seen, weekdayOfToday);
  const sure = seen.filter(({ time }) => !late.includes(time));
  const first = fitAll(sure, weekdayOfToday);
  const episodes = findUnusual(sure, first);
  const unusual = new Set(episodes.flat());
  const fits =
    unusual.size === 0
      ? first
      : fitAll(
          sure.filter((one) => !unusual.has(one)),
          weekdayOfToday,
        );
  const off = offBest(fits);
  const excesses = episodes.map((days) =>
    days.reduce((total, one) => total + Math.max(0, off?.(one).excess ?? 0), 0),
  );
  return { fits, unusual: { excesses, days: sure.length }, late };
}

/** Which of the newest days look booked in part only: the newest, and those before it without one that looks whole. */
function findLate(seen: readonly SeenDay[], weekdayOfToday: number): number[] {
  const sure = seen.filter(({ time }) => time < -MAX_LATE_DAYS);
  if (sure.length < MIN_SURE_DAYS) return [];
  const off = offBest(fitAll(sure, weekdayOfToday));
  if (!off) return [];
  const newest = seen.filter(({ time }) => time >= -MAX_LATE_DAYS).toReversed();
  const whole = newest.findIndex((one) => off(one).spreads > -LATE_SPREADS);
  return newest.slice(0, whole === -1 ? undefined : whole).map(({ time }) => time);
}
