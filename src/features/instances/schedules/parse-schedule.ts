import { followedBy, inWords } from '../../../core/ask/mend-words.ts';
import { Temporal } from 'temporal-polyfill';
import { isFilter } from '../../../core/instances/filter.ts';
import { whichInstance } from '../../../core/instances/messages.ts';
import { SCHEDULE_ROUTES } from '../../../core/schedules/messages.ts';
import { type Instead, Refusal } from '../../../core/refusal.ts';
import { noSchedule, readTime, readZone, wholeTimes } from '../../../core/schedules/read-words.ts';
import type { When } from '../../../core/schedules/when.ts';
import { type Power, POWERS } from '../../../platform/hosting/service.ts';
import { readEnd } from '../../../core/sentences/end.ts';
import type { Moment } from '../../../core/sentences/times.ts';
import { type Phrase, say } from '../../../platform/slack/phrase.ts';
import { parseTimeOfDay, parseWeekday, type TimeOfDay } from '../../../platform/time/clock-words.ts';
import { clockAt, findZone } from '../../../platform/time/zoned-time.ts';

/** What the words after `schedule` mean. */
export interface ScheduleWords {
  /** Names and ids, or filters. */
  readonly target: readonly string[];
  readonly when: When;
}

const no = noSchedule('/instances schedule name:staging-* stop at 20:00 mon-fri Europe/Berlin');
const DAILY = [1, 2, 3, 4, 5, 6, 7];
const WEEK = 7;
/** Days by the words that people have for them. */
const DAYS_CALLED: readonly { readonly words: RegExp; readonly days: readonly number[] }[] = [
  { words: /^(?:daily|everyday|nightly|day|night|evening|morning)$/i, days: DAILY },
  { words: /^(?:weekdays?|workdays?)$/i, days: [1, 2, 3, 4, 5] },
  { words: /^weekends?$/i, days: [6, 7] },
];
/** Bounds what is kept of one schedule. */
const MAX_WORDS = 50;
const MAX_LENGTH = 1_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * `<names or filters> stop at 20:00 [mon-fri] [Europe/Berlin]`, `start at`, `restart at`, `hours 08:00-20:00`, `stop once at
 * 2026-12-24 18:00`, and as people say it: `stop 8pm weekdays`, `stop every weekday at 8 pm`, `stop tonight`, `start tomorrow 7am`.
 * Without days, every day; without a zone, in that of the moment. Throws a Refusal with one sentence.
 */
export function parseSchedule(words: readonly string[], moment: Moment): ScheduleWords {
  const at = words.findLastIndex((_, index) => isWhat(words, index));
  if (at < 0)
    throw no(say`I can't tell what to do when`, atUsualTimes(words).length > 0 ? atUsualTimes : undefined);
  const target = words.slice(0, at);
  if (target.length === 0) throw nothingNamed();
  if (target.length > MAX_WORDS || target.join(' ').length > MAX_LENGTH)
    throw no(say`That is more than ${MAX_WORDS} names, or they are too long. Use a filter`);
  const filters = target.filter(isFilter);
  if (filters.length > 0 && filters.length < target.length)
    throw no(say`I take names or a filter, not both at once`);
  return { target, when: parseWhen(words.slice(at), moment) };
}

/** Whether the words from here on say what is to be done: "stop at", "stop once at", "hours". */
function isWhat(words: readonly string[], index: number): boolean {
  const [first = '', second, third] = words.slice(index, index + 3).map((word) => word.toLowerCase());
  if (first === 'hours') return true;
  if (!isPower(first) || second === undefined) return false;
  return second === 'at' || (second === 'once' && third === 'at') || SAYS_WHEN.test(second);
}

/** A word that says when by itself: no name stands after a verb. */
const SAYS_WHEN =
  /^(?:tonight|today|tomorrow|every|daily|nightly|weekdays?|weekends?|\d{1,2}:\d{2}|\d{1,2}(?::\d{2})?[ap]m)$/;
const ONE_DAY = /^(?:tonight|today|tomorrow)$/;

function parseWhen([what = '', ...rest]: readonly string[], moment: Moment): When {
  const { zone } = moment;
  const verb = what.toLowerCase();
  if (!isPower(verb)) return parseHours(tidied(rest), zone);
  if (rest[0]?.toLowerCase() === 'once') return parseOnce(verb, rest.slice(2), zone);
  if (rest.some((word) => ONE_DAY.test(word.toLowerCase()))) return parseOneDay(verb, rest, moment);
  const [first, ...more] = tidied(rest);
  // "Weekdays at 8pm" is said as well as "8pm weekdays".
  const isDayFirst = first !== undefined && parseDays(first) !== undefined && !parseTimeOfDay(first);
  const said = isDayFirst ? [more[0], first, ...more.slice(1)] : [first, ...more];
  return parseAt(verb, said, zone);
}

/** Without the words around, and with a time that is two words as one: "every weekday at 8 pm" as "weekday 8pm". */
function tidied(words: readonly string[]): readonly string[] {
  return wholeTimes(words).filter((word) => !/^(?:at|on|every|each|and)$/i.test(word));
}

/** "Tonight", "tomorrow at 7am": read as an end is. */
function parseOneDay(verb: Power, words: readonly string[], moment: Moment): When {
  const said = words.map((word) => (/^today$/i.test(word) ? 'at' : word));
  const end = readEnd(['until', ...said], 0, moment);
  if (end?.count !== said.length + 1)
    throw no(say`I can't read when "${words.join(' ')}" is, or it has passed`);
  const zone = end.zone ?? moment.zone;
  const shows = clockAt(end.until, zone);
  const date = shows.toPlainDate().toString();
  const isToday = date === clockAt(moment.at, zone).toPlainDate().toString();
  if (!isToday && words.some((word) => /^today$/i.test(word))) throw no(say`That time has passed today`);
  return { kind: 'once', zone, verb, date, hour: shows.hour, minute: shows.minute };
}

/** `clock`: undefined where days alone were said. */
function parseAt(verb: Power, [clock, ...rest]: readonly (string | undefined)[], zone: string): When {
  const time = timeOf(clock, say`${verb} at`);
  const { days, zone: named } = parseDaysAndZone(rest.filter((word) => word !== undefined));
  return { kind: 'weekly', zone: named ?? zone, rules: [{ verb, days, ...time }] };
}

function parseHours([range = '', ...rest]: readonly string[], zone: string): When {
  const [from, to, more] = range.split(/[-–—]/);
  if (to === undefined || more !== undefined)
    throw no(
      say`After hours, give a start and an end, like hours 08:00-20:00`,
      range === ''
        ? followedBy('08:00-18:00', '08:00-20:00', inWords('Hours', '07:30-19:00 mon-fri'))
        : undefined,
    );
  const [start, stop] = [timeOf(from, say`hours`), timeOf(to, say`hours`)];
  if (minutesOf(start) === minutesOf(stop)) throw no(say`The two times are the same`);
  const { days, zone: named } = parseDaysAndZone(rest);
  // What ends before it begins ends on the next day.
  const isOvernight = minutesOf(stop) < minutesOf(start);
  const stopDays = isOvernight ? days.map((day) => (day % WEEK) + 1).toSorted((one, two) => one - two) : days;
  return {
    kind: 'weekly',
    zone: named ?? zone,
    rules: [
      { verb: 'start', days, ...start },
      { verb: 'stop', days: stopDays, ...stop },
    ],
  };
}

function parseOnce(verb: Power, [date, clock, ...rest]: readonly string[], zone: string): When {
  if (date === undefined || !isDate(date))
    throw no(
      say`I can't read the day${date === undefined ? say`` : say` "${date}"`}. Write it like 2026-12-24`,
      date === undefined ? followedBy(inWords('Day and time', '2026-12-24 18:00')) : undefined,
    );
  const time = timeOf(clock, say`${date}`);
  const [typed, ...more] = rest;
  if (more.length > 0) throw no(say`I can't read "${more.join(' ')}" after the time zone`);
  const named = typed === undefined ? zone : readZone(typed, no);
  return { kind: 'once', zone: named, verb, date, ...time };
}

function parseDaysAndZone(words: readonly string[]): { readonly days: number[]; readonly zone?: string } {
  // "Mon tue" is said as well as "mon,tue".
  const count = words.findIndex((word) => parseDays(word) === undefined);
  const said = count < 0 ? words.length : count;
  const [first, second, ...more] = said > 1 ? [words.slice(0, said).join(','), ...words.slice(said)] : words;
  if (first === undefined) return { days: [...DAILY] };
  const days = parseDays(first);
  // What is no day and no zone is answered as the one that it looks like.
  if (!days && (second !== undefined || !first.includes('/')) && findZone(first) === undefined)
    throw no(say`I can't read the days "${first}". Write them like mon-fri, sat,sun or daily`);
  const typed = days ? second : first;
  const left = days || second === undefined ? more : [second, ...more];
  if (left.length > 0) throw no(say`I can't read "${left.join(' ')}" after the time zone`);
  return { days: days ?? [...DAILY], ...(typed === undefined ? {} : { zone: readZone(typed, no) }) };
}

/** `mon-fri`, `sat,sun`, `mon,wed-fri`, `fri-mon`, `daily`; undefined for anything else. */
function parseDays(typed: string): number[] | undefined {
  const named = DAYS_CALLED.find(({ words }) => words.test(typed));
  if (named) return [...named.days];
  const parts = typed.split(',').filter((part) => part !== '');
  const days = parts.map((part) => {
    const ends = part.split(/[-–—]/);
    const [from, to] = [ends[0], ends.at(-1)].map((end = '') => parseWeekday(end));
    return from === undefined || to === undefined || ends.length > 2 ? undefined : daysFrom(from, to);
  });
  if (days.length === 0 || days.includes(undefined)) return undefined;
  return [...new Set(days.flatMap((some) => some ?? []))].toSorted((one, other) => one - other);
}

function daysFrom(from: number, to: number): number[] {
  const count = ((to - from + WEEK) % WEEK) + 1;
  return Array.from({ length: count }, (_, index) => ((from - 1 + index) % WEEK) + 1);
}

function timeOf(clock: string | undefined, after: Phrase): TimeOfDay {
  if (clock === undefined) throw no(say`No time follows "${after}"`, USUAL_TIMES);
  return readTime(clock, no);
}

function isDate(typed: string): boolean {
  if (!DATE.test(typed)) return false;
  try {
    Temporal.PlainDate.from(typed);
    return true;
  } catch {
    return false;
  }
}

function isPower(word: string): word is Power {
  return POWERS.some((power) => power === word);
}

function minutesOf({ hour, minute }: TimeOfDay): number {
  return hour * 60 + minute;
}

/** When most of them come. */
const USUAL_TIMES = followedBy('08:00', '18:00', '20:00', inWords('Time', '19:30'));

/** What most schedules are, for what was named. */
const atUsualTimes: Instead = (words) => {
  const named = words.filter((word) => word.toLowerCase() !== 'stop');
  // What else was typed says more than a name.
  return named.length !== 1 || VERBS.has(named[0]?.toLowerCase() ?? '')
    ? []
    : [
        [...named, 'stop', 'at', '20:00', 'mon-fri'],
        [...named, 'hours', '08:00-20:00', 'mon-fri'],
        [...named, inWords('What and when', 'start at 07:30 mon-fri')],
      ];
};

const VERBS: ReadonlySet<string> = new Set(['start', 'restart', 'hours', 'at']);

function nothingNamed(): Refusal {
  const why = say`Which instance is that for? For several, type their names or a filter first.`;
  return new Refusal('bad-schedule', whichInstance('schedule', SCHEDULE_ROUTES.set, why));
}
