import { Temporal } from 'temporal-polyfill';
import { clockWords, parseTimeOfDay, nextMoment, type TimeOfDay } from '../../platform/time/clock-words.ts';
import { clockAt, findZone, momentOf } from '../../platform/time/zoned-time.ts';
import { type Atom, atomsOf } from './atoms.ts';
import { type Length, lengthLabel, MOST_OF_A_LENGTH, readLength } from './length.ts';
import { type Moment, type TimeRead, readClock } from './times.ts';
import { shortDay, weekdayOf } from './weekdays.ts';
import { BACK_AT_WORK, LATE } from './when-of.ts';

/** When something ends, as somebody typed it for a command. */
export interface End {
  /** Unix ms. */
  readonly until: number;
  /** The IANA name of the zone in which a time of day was understood. */
  readonly zone?: string;
  /** The shortest words for it: `for 2d`, `until fri 08:00`. */
  readonly words: readonly string[];
  /** How many words it was typed with. */
  readonly count: number;
}

/** A night that comes or goes on. */
export const NIGHT = /^(?:tonight|night|overnight)$/i;

/**
 * `for 2d`, `for 4h30m`, "for 2 days", "for an hour and a half", "for a week", "for the weekend", "for the night", `until fri 08:00`, "until friday", "till 6pm", "until
 * tonight", "until tomorrow at 9", `until 2026-12-24 18:00`, each with or without a zone, which is else that of the moment. `at`:
 * where the first of these words stands. A day without a time ends at `ofDay`, 8:00. Undefined for anything else, for what is over, a
 * length of nothing, and a weekend or night that hasn't begun. Pure.
 */
export function readEnd(
  words: readonly string[],
  at: number,
  moment: Moment,
  ofDay: TimeOfDay = BACK_AT_WORK,
): End | undefined {
  const end = readAnyEnd(words, at, moment, ofDay);
  return end && end.until > moment.at ? end : undefined;
}

/** The same, also where it is over, or a length of nothing. Pure. */
export function readAnyEnd(
  words: readonly string[],
  at: number,
  moment: Moment,
  ofDay: TimeOfDay = BACK_AT_WORK,
): End | undefined {
  const isLength = words[at]?.toLowerCase() === 'for';
  const after = words.slice(at + 1);
  const end = isLength ? readFor(after, moment) : readUntil(after, moment, ofDay);
  return end && { ...end, count: end.count + 1 };
}

/** The words after which an end stands. */
export const END_WORDS: readonly string[] = ['for', 'until', 'till', 'til'];

/**
 * What is typed into a field for an end, with or without the word before it: `2h`, `20:00`, "until friday". `since`: what a length
 * counts from, Unix ms, where that is not the moment. Undefined for anything that isn't one as a whole. Pure.
 */
export function readTypedEnd(
  typed: string,
  moment: Moment,
  { ofDay = BACK_AT_WORK, since = moment.at }: { readonly ofDay?: TimeOfDay; readonly since?: number } = {},
): End | undefined {
  const words = typed.trim().split(/\s+/);
  const isBare = !END_WORDS.includes(words[0]?.toLowerCase() ?? '');
  // "Tonight" is when something ends, before it is how long it takes.
  const keywords = /^tonight$/i.test(words[0] ?? '') ? ['until', 'for'] : ['for', 'until'];
  const ways = isBare ? keywords.map((keyword) => [keyword, ...words]) : [words];
  return ways
    .map((way) => [way, readEnd(way, 0, moment, ofDay)] as const)
    .flatMap(([way, end]) => (end?.count === way.length ? [end] : []))
    .map((end) => (end.zone === undefined ? { ...end, until: end.until - moment.at + since } : end))[0];
}

const ARTICLE = /^(?:a|an|the|another|next)$/i;

function readFor(words: readonly string[], moment: Moment): End | undefined {
  const first = words.findIndex((word) => !ARTICLE.test(word));
  const word = words[first]?.toLowerCase() ?? '';
  if (word === 'weekend') return weekend(first + 1, moment);
  if (NIGHT.test(word)) return night(first + 1, moment);
  const said = words.slice(0, MOST_OF_A_LENGTH + first).map((one) => one.toLowerCase());
  const length = readLength(said, Math.max(first, 0));
  return length && { until: moment.at + length.ms, words: ['for', length.word], count: length.next };
}

/** The length of time that words begin with; undefined where they begin with none. Pure. */
export function lengthIn(words: readonly string[]): Length | undefined {
  return readLength(words.slice(0, MOST_OF_A_LENGTH).map((one) => one.toLowerCase()));
}

const FRIDAY = 5;
const NOON_HOUR = 12;

/** Until Monday, where the weekend has begun or is near. */
function weekend(count: number, { at: now, zone }: Moment): End | undefined {
  if (clockAt(now, zone).dayOfWeek < FRIDAY) return undefined;
  const until = nextMoment({ ...BACK_AT_WORK, weekday: 1 }, zone, now);
  return { until, zone, words: ['until', 'mon', clockWords(BACK_AT_WORK)], count };
}

/** Until the morning, where the night has begun or is near. */
function night(count: number, { at: now, zone }: Moment): End | undefined {
  const { hour } = clockAt(now, zone);
  if (hour >= BACK_AT_WORK.hour && hour < NOON_HOUR) return undefined;
  const until = nextMoment(BACK_AT_WORK, zone, now);
  return { until, zone, words: ['until', clockWords(BACK_AT_WORK)], count };
}

/** What was read of an end: a day, a time of it, or both, and where the next word stands. */
interface DayAndTime {
  weekday?: number;
  date?: string;
  isLate?: true;
  isMorning?: true;
  /** How the time was typed: "noon". */
  said?: string;
  time?: TimeOfDay;
  /** Another time follows: "noon at 3pm". */
  isTwice?: true;
  next: number;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A day, a time of it, or both, in either order. */
function readDayAndTime(words: readonly string[], today: number): Readonly<DayAndTime> {
  const found: DayAndTime = { next: 0 };
  for (let at = 0; at < words.length; at = Math.max(at + 1, found.next)) {
    const word = words[at]?.toLowerCase() ?? '';
    const day = word === 'tomorrow' ? (today % 7) + 1 : weekdayOf(word);
    const isDayFree = found.weekday === undefined && found.date === undefined && !found.isLate;
    const clock = clockIn(words, at);
    if (isDayFree && day !== undefined) found.weekday = day;
    else if (isDayFree && DATE.test(word)) found.date = word;
    else if (isDayFree && /^(?:tonight|evening)$/.test(word)) found.isLate = true;
    else if (!found.time && clock) {
      found.time = clock.what;
      found.said = words.slice(at, clock.next).join(' ');
      found.next = clock.next;
      continue;
    } else if (word === 'morning') found.isMorning = true;
    else if (clock && words[at - 1] === 'at' && /\D/.test(word)) found.isTwice = true;
    else if (/^(?:at|on|the|this)$/.test(word)) continue;
    else break;
    found.next = at + 1;
  }
  return found;
}

function readUntil(
  words: readonly string[],
  { at: now, zone: own }: Moment,
  ofDay: TimeOfDay,
): End | undefined {
  // "Until 4h" may mean four hours from now as well as four o'clock.
  if (lengthIn(words)) return undefined;
  const read = readDayAndTime(words, clockAt(now, own).dayOfWeek);
  const { weekday, date, isLate, isMorning, time, next } = read;
  if (next === 0 || isTorn(read)) return undefined;
  const named = findZone(words[next] ?? '');
  const zone = named ?? own;
  const of = isLate ? late(time) : (time ?? (isMorning ? BACK_AT_WORK : ofDay));
  const until = date === undefined ? nextMoment({ ...of, weekday }, zone, now) : onDay(date, of, zone);
  if (until === undefined) return undefined;
  const day = weekday === undefined ? date : shortDay(weekday);
  return {
    // What was to be tonight is over where it would be tomorrow.
    until: isLate && isTomorrow(until, zone, now) ? dayBefore(until, zone) : until,
    zone,
    words: [
      'until',
      ...(day === undefined ? [] : [day]),
      clockWords(of),
      ...(named === undefined ? [] : [named]),
    ],
    count: named === undefined ? next : next + 1,
  };
}

/** Whether its words say different times: "tonight at noon", "tomorrow morning at 22:00", "noon at 3pm". */
function isTorn({ isLate, isMorning, isTwice, time, said = '' }: DayAndTime): boolean {
  if (isTwice || !time) return isTwice === true;
  const isOfDay = time.hour === NOON_HOUR ? /noon|p/i.test(said) : time.hour >= DAWN_HOUR && /a/i.test(said);
  return (isMorning === true && time.hour >= NOON_HOUR) || (isLate === true && isOfDay);
}

/** Before this hour a night is not over. */
const DAWN_HOUR = 6;

/** A time of an evening or a night: "tonight at 10" is 22:00, "tonight at 12" midnight, and "tonight at 3" before the next morning. */
function late(time: TimeOfDay = LATE): TimeOfDay {
  if (time.hour === NOON_HOUR) return { ...time, hour: 0 };
  const isOfEvening = time.hour >= DAWN_HOUR && time.hour < NOON_HOUR;
  return isOfEvening ? { ...time, hour: time.hour + NOON_HOUR } : time;
}

/** Whether that is on the next day, its night left out. */
function isTomorrow(until: number, zone: string, now: number): boolean {
  const [then, today] = [clockAt(until, zone), clockAt(now, zone)];
  return then.toPlainDate().toString() > today.toPlainDate().toString() && then.hour >= DAWN_HOUR;
}

/** The same time of the day before. */
function dayBefore(until: number, zone: string): number {
  return momentOf(clockAt(until, zone).subtract({ days: 1 }), zone).at;
}

/** Undefined where there is no such day. */
function onDay(date: string, time: TimeOfDay, zone: string): number | undefined {
  try {
    return momentOf(Temporal.PlainDate.from(date).toPlainDateTime(time), zone).at;
  } catch {
    return undefined;
  }
}

/** A time of day that one word says, or two: "6pm", "6 pm", "noon", "18". */
function clockIn(words: readonly string[], at: number): TimeRead<TimeOfDay> | undefined {
  const typed = words.slice(at, at + 2).map((word): Atom => {
    const [only] = atomsOf(word);
    return only ?? { text: '', letters: '', isMark: true };
  });
  const bare = parseTimeOfDay(words[at] ?? '');
  const read = readClock(typed, 0, bare !== undefined);
  return read && { what: read.what, next: at + read.next };
}

/** The words of an end as a button says them: "for 2 days", "until Fri 08:00". */
export function endLabel([keyword = '', first = '', ...more]: readonly string[]): string {
  const said = keyword === 'for' ? lengthLabel(first) : `${first.slice(0, 1).toUpperCase()}${first.slice(1)}`;
  return [keyword, said, ...more].join(' ');
}
