import type { Level } from '../alerts/level.ts';
import type { Measure } from '../alerts/measure.ts';
import { monthIn } from '../alerts/seen.ts';
import { following, overBy, type Reached } from './month-seen.ts';

/** How a month is judged: by its budget, a decimal. Its level only rises, so that each thing reached is said once. */
export function budgetMeasure(budget: string): Measure {
  return {
    following: (read, last) => {
      const seen = monthIn(read);
      if (!seen) throw new Error('a balance is no month');
      return following(seen, monthIn(last), budget);
    },
    levelOf: (read) => {
      const seen = monthIn(read);
      return seen && levelOfReached(seen.reached ?? []);
    },
    overBy: (read, last) => {
      const seen = monthIn(read);
      // The service before this one was paid otherwise.
      return last && !monthIn(last) ? 'off' : seen && overBy(seen, monthIn(last), budget);
    },
    // Another budget ends the alert of the one before.
    isOtherThreshold: () => false,
    isNews: () => false,
    hasRisen: () => false,
    lowestOf: () => undefined,
    toShow: (seen) => seen,
  };
}

/** One of the two warnings, both of them, or all of the budget: each is worse than what led to it. */
export function levelOfReached(reached: readonly Reached[]): Level {
  if (reached.includes('all')) return 'empty';
  return (['ok', 'warn', 'critical'] as const)[reached.length] ?? 'critical';
}
