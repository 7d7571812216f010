import type { Amount } from '../../../core/money/amount.ts';
import type { DailyCost } from '../../../core/money/daily-cost.ts';
import { unlessRedisIsAway } from '../../../platform/redis/away.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { type Basis, type Change, emptyRange, type Outlook, type EmptyRange } from './range.ts';
import type { Scheduled } from './scheduled.ts';

/** What days have cost, and what schedules make of those to come. */
export interface KnownCosts {
  /** The oldest first, until yesterday. */
  readonly days: readonly DailyCost[];
  readonly scheduled?: Scheduled | undefined;
}

/** Throws what Redis says. */
export type ReadDailyCosts = () => Promise<KnownCosts>;

/** When a balance is likely to be used up, and on which days that stands. */
export interface Expected extends EmptyDays {
  /** Its start, Unix ms. */
  readonly today: number;
  readonly basis: Basis;
}

/** What is known; nothing while Redis is away. */
export function knownCosts(read: ReadDailyCosts): Promise<KnownCosts> {
  return unlessRedisIsAway(read(), { days: [] });
}

/** When the balance is likely to be used up; `changes`: what is known to come. Pure. */
export function expectedOf(outlook: Outlook, balance: Amount, changes: readonly Change[] = []): Expected {
  const { today, asOf, basis } = outlook;
  return { ...emptyDays(emptyRange(outlook, balance, changes), asOf), today: today * DAY_MS, basis };
}

/** A range in whole UTC days from today, which is 0. Undefined: beyond what a date says anything of. */
interface EmptyDays {
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
