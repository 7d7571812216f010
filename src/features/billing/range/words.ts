import { DAY_MS } from '../../../platform/time/duration.ts';
import { day, type Phrase, say } from '../../../platform/slack/phrase.ts';
import type { Expected } from './expected.ts';
import type { Basis } from './range.ts';

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
