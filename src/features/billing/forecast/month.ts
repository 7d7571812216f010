import { type Amount, sum, type DailyCost } from '../../../core/money/amount.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { monthAt } from '../postpaid/forecast.ts';
import { type Change, costRange, type CostRange, type Outlook } from '../range/range.ts';

/** What is known of a whole month. */
export interface MonthBefore {
  /** A moment in it, Unix ms. */
  readonly at: number;
  readonly cost: Amount;
  /** How many of its days nobody knows. */
  readonly gaps: number;
}

/** What the month before has cost by its days; undefined where none of them is known. `asOf`: Unix ms. Pure. */
export function monthBefore(days: readonly DailyCost[], asOf: number): MonthBefore | undefined {
  const to = monthAt(asOf).from;
  const { from } = monthAt(to - 1);
  const costs = days.flatMap(({ day, cost }) => {
    const start = Date.parse(`${day}T00:00:00Z`);
    return cost && start >= from && start < to ? [cost] : [];
  });
  if (costs.length === 0) return undefined;
  return { at: from, cost: sum(costs), gaps: (to - from) / DAY_MS - costs.length };
}

/** What this month comes to. `soFar`: what the service counts of it. Pure. */
export function monthRange(outlook: Outlook, soFar?: Amount, changes: readonly Change[] = []): CostRange {
  return costRange(outlook, { ...monthAt(outlook.asOf), ...(soFar ? { soFar } : {}), changes });
}
