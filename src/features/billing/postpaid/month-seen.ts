import { z } from 'zod';
import { type Amount, compare, multiply, parseAmount } from '../../../core/money/amount.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { monthAt, passesAtOf } from './forecast.ts';

/** What can be reached of a budget in a month: its larger part, all of it, or that the pace so far passes it. */
const REACHED = ['forecast', 'most', 'all'] as const;
export type Reached = (typeof REACHED)[number];

/** How much of a budget is its larger part, in percent. */
const MOST_PERCENT: Amount = { units: 80n, scale: 0 };
const PERCENT: Amount = { units: 100n, scale: 0 };

/** What a month has cost as it was read, and the budget that counted then. Amounts are decimals, times Unix ms. */
export const monthSeenSchema = z.object({
  monthSoFar: z.string(),
  at: z.number(),
  budget: z.string().optional(),
  /** What of that budget was reached this month. It stays reached, so that each is said once. */
  reached: z.array(z.enum(REACHED)).optional(),
  /** The amount may be the last month's, which the service has not closed yet. */
  isLastMonths: z.literal(true).optional(),
});
export type MonthSeen = z.infer<typeof monthSeenSchema>;

/** Why what was judged before no longer counts. */
export type OverBy = 'month over' | 'another budget';

/** Whether a reading is judged apart from the one before it, and why: another month, or another budget. Pure. */
export function overBy(read: MonthSeen, last: MonthSeen | undefined, budget: string): OverBy | undefined {
  if (!last) return undefined;
  if (!isSameMonth(read, last)) return 'month over';
  return last.budget !== undefined && last.budget !== budget ? 'another budget' : undefined;
}

/** A reading after the one before it, by a budget: what was reached of that budget this month stays reached. Pure. */
export function following(read: MonthSeen, last: MonthSeen | undefined, budget: string): MonthSeen {
  const before = last && isSameMonth(read, last) && last.budget === budget ? (last.reached ?? []) : [];
  const isLastMonths = mayBeLastMonths(read, last);
  const now = isLastMonths ? [] : reachedOf(read, budget);
  return {
    monthSoFar: read.monthSoFar,
    at: read.at,
    budget,
    reached: REACHED.filter((one) => before.includes(one) || now.includes(one)),
    ...(isLastMonths ? { isLastMonths } : {}),
  };
}

/**
 * Services close a month some hours after it has ended, and until then may still give its amount. So on the first day of a
 * month an amount counts only once it was seen to fall.
 */
function mayBeLastMonths(read: MonthSeen, last: MonthSeen | undefined): true | false {
  if (read.at - monthAt(read.at).from >= DAY_MS) return false;
  if (!last) return true;
  if (isSameMonth(read, last) && !last.isLastMonths) return false;
  const [now, before] = [parseAmount(read.monthSoFar), parseAmount(last.monthSoFar)];
  return !now || !before || compare(now, before) >= 0;
}

function reachedOf({ monthSoFar, at }: MonthSeen, typed: string): readonly Reached[] {
  const [soFar, budget] = [parseAmount(monthSoFar), parseAmount(typed)];
  if (!soFar || !budget) return [];
  if (compare(soFar, budget) >= 0) return ['all'];
  const isMost = compare(multiply(soFar, PERCENT), multiply(budget, MOST_PERCENT)) >= 0;
  return [
    ...(isMost ? (['most'] as const) : []),
    ...(passesAtOf(soFar, budget, at) === undefined ? [] : (['forecast'] as const)),
  ];
}

function isSameMonth(one: MonthSeen, other: MonthSeen): boolean {
  return monthAt(one.at).from === monthAt(other.at).from;
}
