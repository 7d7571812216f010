import type { Amount, DailyCost } from '../../../core/money/amount.ts';
import { unlessRedisIsAway } from '../../../platform/redis/away.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { type Basis, type Change, emptyRange, type Outlook, type EmptyRange } from './range.ts';
import type { Scheduled } from './scheduled.ts';
import { day, type Phrase, say } from '../../../platform/slack/phrase.ts';

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

/** How long it lasts, as a range in half a sentence, and from what. Pure. */
export function expectedWords(expected: Expected): Phrase {
  return say`${leftWords(expected)}, ${basisWords(expected.basis)}`;
}

/** "about 9 to 14 days left (most likely 11, empty Tue 8 Dec to Sun 13 Dec)". Pure. */
function leftWords({ first, likely, last, today }: Expected): Phrase {
  // Noon, so that it is the same day nearly everywhere.
  const on = (left: number): Phrase => say`${day(today + left * DAY_MS + DAY_MS / 2)}`;
  if (first === undefined) return say`more than two years left`;
  const more = likely === undefined ? 'more than two years' : `${likely}`;
  if (last === undefined)
    return say`at least ${daysLeft(first)} left (most likely ${more}, empty ${on(first)} at the earliest)`;
  if (last === 0) return say`less than a day left, empty ${on(0)}`;
  if (first === last) return say`about ${daysLeft(first)} left, empty ${on(first)}`;
  return say`about ${first} to ${daysLeft(last)} left (most likely ${more}, empty ${on(first)} to ${on(last)})`;
}

/** "from 42 days of spending", and what they may hide. Pure. */
export function basisWords({ count, isLevelNew, isScheduled }: Basis): Phrase {
  const days = say`from ${count} days of spending`;
  const from = isScheduled ? say`${days} with the schedules that are set` : days;
  return isLevelNew ? say`${from}, though today costs otherwise than the newest of them` : from;
}

/** What the days lack, as sentences. Pure. */
export function lacksWords({ gaps, late }: Basis): Phrase[] {
  return [
    ...(gaps > 0 ? [say`${daysLeft(gaps)} between them had no figures and counted as unknown.`] : []),
    ...(late > 0
      ? [
          say`The newest ${late === 1 ? 'day' : `${late} days`} may be booked in part only, so I left ${late === 1 ? 'it' : 'them'} out.`,
        ]
      : []),
  ];
}

/** "1 day", "9 days". */
export function daysLeft(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}
