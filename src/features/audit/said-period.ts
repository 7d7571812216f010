import { parsePeriod, type Period } from '../../core/ask/period.ts';
import { Refusal } from '../../core/refusal.ts';
import { atomsOf } from '../../core/sentences/atoms.ts';
import { NIGHT, ONE_DAY, readDays, SEVERAL_DAYS, SINCE } from '../../core/sentences/days.ts';
import { weekdayOf } from '../../core/sentences/weekdays.ts';
import { readLength } from '../../core/sentences/length.ts';
import { lastAt, type Moment, readClock } from '../../core/sentences/times.ts';
import { type Phrase, say, time } from '../../platform/slack/phrase.ts';
import { WEEKDAYS } from '../../platform/time/clock-words.ts';
import { countDuration, DAY_MS } from '../../platform/time/duration.ts';
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
/** A night is from then to then. */
const EVENING_HOUR = 18;
const MORNING_HOUR = 8;
/** Of these words a time is made at most: "in the last 6 hours". */
const MOST_WORDS = 5;
/** What may stand before a time and says nothing of it. */
const BEFORE = /^(?:(?:in|on|for|during|over|within) )?(?:the )?/;
const A_DATE = /^20\d\d-\d\d-\d\d$/;

/** The times that people say as they speak, in the zone of the moment, and the other words. Throws a Refusal for a "since" of no time. */
export function takePeriods(
  words: readonly string[],
  moment: Moment,
): { readonly periods: readonly SaidPeriod[]; readonly rest: readonly string[] } {
  const periods: SaidPeriod[] = [];
  const rest: string[] = [];
  for (let at = 0; at < words.length;) {
    const found = longestAt(words, at, moment);
    const isOfHalf = found && /^[ap]m$/i.test(words[at + found.count] ?? '');
    if (words[at]?.toLowerCase() === 'since' && (!found || isOfHalf)) throw unreadableSince(words[at + 1]);
    if (found) periods.push(found.period);
    else rest.push(words[at] ?? '');
    at += found?.count ?? 1;
  }
  return { periods, rest };
}

/** "24 hours", "7 days". Pure. */
export function spanOf(ms: number): string {
  const { count, unit } = countDuration(ms, ms > 2 * DAY_MS || ms % DAY_MS !== 0 ? ['d', 'h', 'm'] : ['h']);
  const word = { d: 'day', h: 'hour', m: 'minute', s: 'second' }[unit];
  return count === 1 ? word : `${count} ${word}s`;
}

function longestAt(
  words: readonly string[],
  at: number,
  moment: Moment,
): { readonly count: number; readonly period: SaidPeriod } | undefined {
  for (let count = Math.min(MOST_WORDS, words.length - at); count > 0; count -= 1) {
    const said = words
      .slice(at, at + count)
      .join(' ')
      .toLowerCase()
      .replace(BEFORE, '');
    const period = periodOf(said, moment);
    if (period) return { count, period };
  }
  return undefined;
}

function unreadableSince(next: string | undefined): Refusal {
  return new Refusal(
    'bad-option',
    next === undefined
      ? say`Since when? Say since 23:00, since 9 am or since yesterday.`
      : say`I don't understand the time "since ${next}". Say since 23:00, since 9 am, since yesterday or since 2026-10-05.`,
    (words) => {
      const from = words.findLastIndex((word) => word.toLowerCase() === 'since');
      return from < 0
        ? []
        : [['today'], ['since', 'yesterday']].map((one) => words.toSpliced(from, 2, ...one));
    },
  );
}

/** "yesterday", "on Monday". */
function spelled(said: string): string {
  const word = said.split(' ').at(-1) ?? '';
  return weekdayOf(word) === undefined ? said : `on ${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** What was said in lower case as a time; undefined where it is none. */
function periodOf(said: string, moment: Moment): SaidPeriod | undefined {
  const { at: now } = moment;
  const [, since] = /^since (?:the )?(.+)$/.exec(said) ?? [];
  if (since !== undefined) {
    const from = sinceOf(since, moment);
    return from === undefined ? undefined : { since: from, until: now, when: say`since ${time(from)}` };
  }
  if (NIGHT.test(said)) return nightOf(said, moment);
  if (ONE_DAY.test(said) || SEVERAL_DAYS.test(said)) return daysOf(said, moment);
  const lastMs = lastOf(said);
  return lastMs === undefined
    ? undefined
    : { since: now - lastMs, until: now, when: say`in the last ${spanOf(lastMs)}` };
}

/** When what follows a "since" began; undefined where nothing did. */
function sinceOf(said: string, moment: Moment): number | undefined {
  if (SINCE.test(`since ${said}`)) {
    const clock = readClock(atomsOf(said), 0, true);
    return clock && lastAt(clock.what, moment);
  }
  return A_DATE.test(said) ? parsePeriod(said, moment.zone).since : periodOf(said, moment)?.since;
}

/** "last 6 hours", "past 2d", "last hour", in ms. */
function lastOf(said: string): number | undefined {
  const [last = '', ...words] = said.split(' ');
  if (!/^(?:last|past|previous)$/.test(last)) return undefined;
  const length = readLength(words);
  return length && length.ms > 0 && length.next === words.length ? length.ms : undefined;
}

function nightOf(said: string, { at: now, zone }: Moment): SaidPeriod {
  const today = clockAt(now, zone).toPlainDate();
  const at = (days: number, hour: number): number =>
    momentOf(today.add({ days }).toPlainDateTime({ hour }), zone).at;
  const evening = said === 'tonight' && at(0, EVENING_HOUR) <= now ? 0 : -1;
  const since = at(evening, EVENING_HOUR);
  const until = at(evening + 1, MORNING_HOUR);
  return until < now
    ? { since, until, when: say`from ${time(since)} to ${time(until)}` }
    : { since, until: now, when: say`since ${time(since)}` };
}

function daysOf(said: string, moment: Moment): SaidPeriod {
  const { at: now, zone } = moment;
  const atoms = atomsOf(said);
  const period = parsePeriod(
    readDays(atoms, 0, atoms.length, moment) ?? clockAt(now, zone).toPlainDate().toString(),
    zone,
  );
  const until = Math.min(period.until - 1, now);
  if (!ONE_DAY.test(said)) return { ...period, until };
  // In words of our own: Slack would call that day "yesterday" once more.
  const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: zone });
  const inUtc = zone === 'UTC' ? say` (UTC)` : say``;
  return { since: period.since, until, when: say`${spelled(said)}, ${day.format(period.since)}${inUtc}` };
}
