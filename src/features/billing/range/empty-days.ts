import { DAY_MS } from '../../../platform/time/duration.ts';
import type { EmptyRange } from './range.ts';

/** A range in whole UTC days from today, which is 0. Undefined: beyond what a date says anything of. */
export interface EmptyDays {
  readonly first?: number | undefined;
  readonly likely?: number | undefined;
  readonly last?: number | undefined;
}

/**
 * The days that a range names: a day at its edge counts where more than half of it lies within, so that days name no more than
 * moments do; at least the likely one. `asOf`: Unix ms. Pure.
 */
export function emptyDays({ earliest, likely, latest }: EmptyRange, asOf: number): EmptyDays {
  const today = Math.floor(asOf / DAY_MS);
  const on = likely === undefined ? undefined : Math.floor(likely / DAY_MS) - today;
  const from = earliest === undefined ? undefined : Math.max(0, Math.round(earliest / DAY_MS) - today);
  const to = latest === undefined ? undefined : Math.round(latest / DAY_MS) - 1 - today;
  return {
    first: from === undefined || on === undefined ? from : Math.min(from, on),
    likely: on,
    last: to === undefined || on === undefined ? to : Math.max(to, on),
  };
}
