import { parsePeriod, type Period } from '../../core/ask/period.ts';
import { atomsOf } from '../../core/sentences/atoms.ts';
import { NIGHT, ONE_DAY, readDays, SEVERAL_DAYS } from '../../core/sentences/days.ts';
import { weekdayOf } from '../../core/sentences/weekdays.ts';
import type { Moment } from '../../core/sentences/times.ts';
import { type Phrase, say, time } from '../../platform/slack/phrase.ts';
import { WEEKDAYS } from '../../platform/time/clock-words.ts';
import { clockAt, momentOf } from '../../platform/time/zoned-time.ts';

/** A time that is over, or goes on: Unix ms, and the same in words, "yesterday, Nov 26". */
export interface SaidPeriod extends Pick<Period, 'since' | 'until'> {
  readonly when: Phrase;
}

/** What a word may be a slip of. */
export const SAID_DAYS: readonly string[] = [
  'today',
  'yesterday',
  'overnight',
  'tonight',
  ...WEEKDAYS.map((day) => day.toLowerCase()),
];
/** From then on it is evening. */
const EVENING_HOUR = 20;

/** The times that people say as they speak, in the zone of the moment, and the other words. Pure. */
export function takePeriods(
  words: readonly string[],
  moment: Moment,
): { readonly periods: readonly SaidPeriod[]; readonly rest: readonly string[] } {
  const periods: SaidPeriod[] = [];
  const rest: string[] = [];
  for (let at = 0; at < words.length;) {
    const count = [2, 1].find((one) => at + one <= words.length && isPeriod(saidAt(words, at, one)));
    if (count === undefined) rest.push(words[at] ?? '');
    else periods.push(periodOf(saidAt(words, at, count), moment));
    at += count ?? 1;
  }
  return { periods, rest };
}

function saidAt(words: readonly string[], at: number, count: number): string {
  return words
    .slice(at, at + count)
    .join(' ')
    .toLowerCase();
}

function isPeriod(said: string): boolean {
  return [ONE_DAY, NIGHT, SEVERAL_DAYS].some((pattern) => pattern.test(said));
}

/** "yesterday", "on Monday". */
function spelled(said: string): string {
  const word = said.split(' ').at(-1) ?? '';
  return weekdayOf(word) === undefined ? said : `on ${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

function periodOf(said: string, moment: Moment): SaidPeriod {
  const { at: now, zone } = moment;
  const today = clockAt(now, zone).toPlainDate();
  if (NIGHT.test(said)) {
    const evening = (days: number): number =>
      momentOf(today.add({ days }).toPlainDateTime({ hour: EVENING_HOUR }), zone).at;
    const isBegun = said === 'tonight' && evening(0) <= now;
    const since = evening(isBegun ? 0 : -1);
    return { since, until: now, when: say`since ${time(since)}` };
  }
  const atoms = atomsOf(said);
  const period = parsePeriod(readDays(atoms, 0, atoms.length, moment) ?? today.toString(), zone);
  const until = Math.min(period.until - 1, now);
  if (!ONE_DAY.test(said)) return { ...period, until };
  // In words of our own: Slack would call that day "yesterday" once more.
  const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: zone });
  const inUtc = zone === 'UTC' ? say` (UTC)` : say``;
  return { since: period.since, until, when: say`${spelled(said)}, ${day.format(period.since)}${inUtc}` };
}
