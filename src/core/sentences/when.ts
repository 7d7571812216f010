import type { Temporal } from 'temporal-polyfill';
import type { TimeOfDay } from '../../platform/time/clock-words.ts';
import { parseDuration } from '../../platform/time/duration.ts';
import { clockAt, momentOf } from '../../platform/time/zoned-time.ts';
import type { Atom } from './atoms.ts';
import { daysOutWords, readDaysOut } from './days-out.ts';
import { UNITS } from './tables.ts';
import { counted, hoursSince, type Moment, type TimeRead, readClock } from './times.ts';
import { dayAfter, dayAfterDay, shortDay, weekdayOf } from './weekdays.ts';

/** When something is to be done, as far as it is said. */
export interface When {
  readonly time: TimeOfDay;
  /** The end of a span of the day. */
  readonly to?: TimeOfDay;
  /** As schedules have them: `mon-fri`. */
  readonly days?: string;
  /** A single day: `2026-11-18`. */
  readonly date?: string;
  /** A day of the week: `mon`. */
  readonly weekday?: string;
  /** The day on which the clock next shows that time. */
  readonly nextDate: string;
  /** It is an end, and no beginning: "until 8pm". */
  readonly isEnd: boolean;
  /** Days that are left out, as words of a command: `except 2026-12-24..2027-01-01`. */
  readonly except?: readonly string[];
  /** What would end then hasn't begun: "for the weekend", said on a Tuesday. */
  readonly isAhead?: boolean;
  /** The last day of what comes again, as commands have it. */
  readonly until?: string;
  /** Its words say different times, so that none is meant: "monday and tuesday", "tonight at noon". */
  readonly isTorn?: boolean;
  /** How many hours ago the clock last showed that time, rounded up. */
  readonly hoursSince: number;
}

const SMALL: ReadonlySet<string> = new Set(
  'at on by from every each of only between till until and in this next coming around about once just , -'.split(
    ' ',
  ),
);

/** Before this hour a night is not over. */
const MORNING_HOUR = 6;

/** "every weekday at 8pm", "tonight at 22:30", "from 8 to 20 on weekdays", "mondays at 9", "until monday 8am". Pure. */
export function readWhen(
  atoms: readonly Atom[],
  at: number,
  { at: now, zone }: Moment,
): TimeRead<When> | undefined {
  const soon = readSoon(atoms, at, { at: now, zone }) ?? readWeekend(atoms, at, { at: now, zone });
  if (soon) return soon;
  const second = atoms[at + 1]?.text ?? '';
  if (atoms[at]?.text === 'on' && !mayBeDay(second) && !readClock(atoms, at + 1, false)) return undefined;
  if (!SMALL.has(atoms[at]?.text ?? '') && !readClock(atoms, at, false) && !mayBeDay(atoms[at]?.text ?? ''))
    return undefined;
  const today = clockAt(now, zone).toPlainDate();
  const found: Found = {};
  let next = at;
  let end = at;
  for (; next < atoms.length; next++) {
    const word = atoms[next]?.text ?? '';
    const before = atoms[next - 1]?.text ?? '';
    const isSought =
      next > at && ['at', 'from', 'by', 'till', 'until', 'between', 'to', '-'].includes(before);
    // "At 10 days" says how long, and not when.
    if (/^\d+$/.test(word) && UNITS[atoms[next + 1]?.text ?? ''] !== undefined) break;
    const clock = readClock(
      atoms,
      next,
      isSought || found.weekday !== undefined || (found.time !== undefined && before === 'and'),
    );
    if (clock) {
      const said = atoms.slice(next, clock.next).map(({ text }) => text);
      if (/noon|pm/.test(said.join(' ')) && clock.what.hour === NOON_HOUR) found.half = 'pm';
      if (/\dam|^a\.?m/.test(said.at(-1) ?? '')) found.half = 'am';
      if (!found.time) found.time = clock.what;
      else if (!found.to && ['to', 'till', 'until', 'and', '-'].includes(before)) found.to = clock.what;
      else break;
      next = clock.next - 1;
      end = next + 1;
      continue;
    }
    const range = /^(\d{1,2}(?::\d{2})?)[-–](\d{1,2}(?::\d{2})?)$/.exec(word);
    if (range && !found.time) {
      const [, from = '', to = ''] = range;
      found.time = timeOf(from);
      found.to = timeOf(to);
      end = next + 1;
      continue;
    }
    const isEvery = before === 'every' || before === 'each';
    const read = dayOf(word, isEvery, today);
    if (/^(?:day|daily|everyday)$/.test(word)) found.isEveryDay = true;
    if (/^(?:evening|tonight|night|afternoon|evenings|nights)$/.test(word)) found.isLateInDay = true;
    if (/^(?:tonight|nights?)$/.test(word)) found.isNight = true;
    // "Until friday" after every day is when that ends.
    const isUntil = UNTIL.has(before) && found.days !== undefined && found.time !== undefined;
    const ends = isUntil ? lastDay(word, read) : undefined;
    if (ends !== undefined) found.until = ends;
    else if (isUntil) break;
    else if (read) addDay(found, read);
    else if (word === 'once' && found.time) end = next + 1;
    else if (
      ['to', 'through', 'till', '-'].includes(word) &&
      found.weekday !== undefined &&
      found.to === undefined
    ) {
      const last = weekdayOf(atoms[next + 1]?.text ?? '');
      if (last === undefined) break;
      found.days = `${found.weekday}-${shortDay(last)}`;
      found.date = undefined;
      next++;
      end = next + 1;
    } else if (word === 'to' && found.time) continue;
    else if (!SMALL.has(word) && !/^(?:evening|night|afternoon|morning)$/.test(word)) break;
    if (word === 'morning') found.isMorning = true;
    if (word === 'afternoon') found.isAfternoon = true;
    if (read || ends !== undefined || /^(?:evening|night|afternoon|morning)$/.test(word)) end = next + 1;
  }
  const what = whenOf(found, UNTIL.has(atoms[at]?.text ?? ''), { at: now, zone });
  const out = what?.days === undefined ? undefined : readOut(atoms, end, { at: now, zone });
  return what && { what: { ...what, ...out?.what }, next: out?.next ?? end };
}

/** The days that are left out of what comes again and again, with a comma before them or without. */
function readOut(
  atoms: readonly Atom[],
  at: number,
  moment: Moment,
): TimeRead<Required<Pick<When, 'except'>>> | undefined {
  const out = readDaysOut(atoms, atoms[at]?.text === ',' ? at + 1 : at, moment);
  return out && { what: { except: daysOutWords(out.what) }, next: out.next };
}

/** A day beside another: days that come again are several, and others than these are not one day. */
function addDay(found: Found, read: Partial<When>): void {
  const { days, date, isEveryDay } = found;
  const isAgain = days !== undefined && days !== 'daily';
  const isOfSome =
    isEveryDay !== true && days !== undefined && (days === 'daily') === (read.days !== 'daily');
  const isSame = read.days === days && read.date === date;
  if ((days ?? date) === undefined || (isOfSome && !isAgain && read.days !== undefined))
    Object.assign(found, read);
  else if (isAgain && read.days !== 'daily') found.days = `${days},${read.days ?? read.weekday}`;
  else if (!isSame && !(isOfSome && isAgain)) found.isTorn = true;
}

/** The last day of what comes again and again, as commands have it. */
function lastDay(word: string, read: Partial<When> | undefined): string | undefined {
  if (/^(?:tomorrow|\d{4}-\d{2}-\d{2})$/.test(word)) return word;
  return read?.days === undefined ? read?.weekday : undefined;
}

/** What was found of a moment, the words as they were read. */
interface Found {
  time?: TimeOfDay;
  to?: TimeOfDay;
  days?: string;
  date?: string | undefined;
  weekday?: string;
  isLateInDay?: boolean;
  isNight?: boolean;
  isMorning?: boolean;
  isAfternoon?: boolean;
  /** The half of the day, where that was typed and matters. */
  half?: 'am' | 'pm';
  isEveryDay?: boolean;
  until?: string;
  isTorn?: boolean;
}

/** The moment that the words mean; undefined without a time of day. */
function whenOf(
  { time: typed, date: named, days, isLateInDay, isNight, isMorning, isAfternoon, half, ...more }: Found,
  isEnd: boolean,
  { at: now, zone }: Moment,
): When | undefined {
  const today = clockAt(now, zone).toPlainDate();
  // "Until Friday" ends when people are back at work.
  const isDay = isEnd && isLateInDay !== true && named !== undefined && named > today.toString();
  const isTonight =
    isEnd && isLateInDay === true && named === today.toString() && isAheadToday(LATE, now, zone);
  const read = typed ?? (isDay ? BACK_AT_WORK : isTonight ? LATE : undefined);
  if (!read) return undefined;
  const isEvening = isLateInDay === true && isAfternoon !== true;
  const isMidnight = isEvening && (read.hour === 0 || (read.hour === NOON_HOUR && half !== 'pm'));
  // "Tonight at 3" is before the next morning, and "tonight at 12" is midnight.
  const isBeforeDawn = isMidnight || (isNight === true && read.hour < MORNING_HOUR);
  const isLate = isLateInDay === true && !isBeforeDawn && read.hour < NOON_HOUR;
  const hour = isMidnight ? 0 : isLate ? read.hour + NOON_HOUR : read.hour;
  const isElsewhen = isBeforeDawn
    ? false
    : (isLate && half === 'am') ||
      (isMorning === true && hour >= NOON_HOUR) ||
      (isEvening && hour < EVENING_HOUR);
  const time = { ...read, hour };
  const date = isBeforeDawn && named !== undefined ? dayAfter(named) : named;
  const again = isBeforeDawn && days !== undefined ? days.replace(/[a-z]+/g, dayAfterDay) : days;
  return {
    time,
    ...more,
    ...(again === undefined ? {} : { days: again }),
    ...(date === undefined ? {} : { date }),
    ...(isElsewhen ? { isTorn: true } : {}),
    nextDate: nextDate(time, now, zone),
    isEnd,
    hoursSince: hoursSince(time, now, zone),
  };
}

const NOON_HOUR = 12;
/** Before this hour it is no evening and no night. */
const EVENING_HOUR = 16;

const UNTIL: ReadonlySet<string> = new Set(['until', 'till']);

/** Today, or tomorrow where that time is past. */
function nextDate(time: TimeOfDay, now: number, zone: string): string {
  const today = clockAt(now, zone).toPlainDate();
  return (isAheadToday(time, now, zone) ? today : today.add({ days: 1 })).toString();
}

function isAheadToday({ hour, minute }: TimeOfDay, now: number, zone: string): boolean {
  return momentOf(clockAt(now, zone).toPlainDate().toPlainDateTime({ hour, minute }), zone).at > now;
}

/** "In two hours": on that day, at that time. */
function readSoon(atoms: readonly Atom[], at: number, { at: now, zone }: Moment): TimeRead<When> | undefined {
  const [first = '', word = '', unit = ''] = atoms.slice(at, at + 3).map(({ text }) => text);
  if (first !== 'in') return undefined;
  const length =
    counted(word, unit) ?? (UNITS[word] === undefined ? undefined : { what: `1${UNITS[word]}`, words: 1 });
  const ms = length && parseDuration(length.what, ['m', 'h', 'd', 'w']);
  if (!length || ms === undefined) return undefined;
  const then = clockAt(now + ms, zone);
  const time = { hour: then.hour, minute: then.minute };
  const date = then.toPlainDate().toString();
  const what = { time, date, nextDate: date, isEnd: false, hoursSince: 1 };
  return { what, next: at + 1 + length.words };
}

/** At this time of a day that is said without one, people are back at work. */
export const BACK_AT_WORK: TimeOfDay = { hour: 8, minute: 0 };
/** When an evening is over of which nothing more is said. */
export const LATE: TimeOfDay = { hour: 20, minute: 0 };
const FRIDAY = 5;

/** "For the weekend": until the Monday after it. */
function readWeekend(
  atoms: readonly Atom[],
  at: number,
  { at: now, zone }: Moment,
): TimeRead<When> | undefined {
  const [first, ...more] = atoms.slice(at, at + 3).map(({ text }) => text);
  const length = ['this', 'next', 'coming'].includes(more[0] ?? '') ? 3 : 2;
  if (!['for', 'over'].includes(first ?? '') || more[length - 2] !== 'weekend') return undefined;
  const today = clockAt(now, zone).toPlainDate();
  const date = today.add({ days: 8 - today.dayOfWeek }).toString();
  const isAhead = today.dayOfWeek < FRIDAY || more[0] === 'next';
  const what = { time: BACK_AT_WORK, weekday: 'mon', date, nextDate: date, isEnd: true, hoursSince: 1 };
  return { what: { ...what, isAhead }, next: at + length };
}

/** Whether a word may begin to say on which day. Pure. */
export function mayBeDay(word: string): boolean {
  return /^(?:mon|tue|wed|thu|fri|sat|sun|week|work|daily|every|night|to)/.test(word);
}

function timeOf(typed: string): TimeOfDay {
  const [hour = 0, minute = 0] = typed.split(':').map(Number);
  return { hour: hour % 24, minute };
}

function dayOf(word: string, isEvery: boolean, today: Temporal.PlainDate): Partial<When> | undefined {
  if (/^(?:weekdays?|workdays?)$/.test(word)) return { days: 'mon-fri' };
  if (/^weekends?$/.test(word)) return { days: 'sat,sun' };
  if (/^(?:daily|everyday|nightly)$/.test(word) || (isEvery && /^(?:day|night|evening|morning)$/.test(word)))
    return { days: 'daily' };
  if (/^(?:tonight|today)$/.test(word)) return { date: today.toString() };
  if (word === 'tomorrow') return { date: today.add({ days: 1 }).toString() };
  if (/^(?:mon|tue|wed|thu|fri|sat|sun)(?:[-,](?:mon|tue|wed|thu|fri|sat|sun))+$/.test(word))
    return { days: word };
  const day = weekdayOf(word);
  if (day === undefined) return undefined;
  const short = shortDay(day);
  if (isEvery || word.endsWith('days')) return { days: short, weekday: short };
  return { weekday: short, date: today.add({ days: (day - today.dayOfWeek + 7) % 7 || 7 }).toString() };
}

/** A time of day as commands have it. */
export function clockWords({ hour, minute }: TimeOfDay): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
