import type { TimeOfDay } from '../../platform/time/clock-words.ts';
import { clockAt } from '../../platform/time/zoned-time.ts';
import type { Atom } from './atoms.ts';
import { daysOutWords, readDaysOut } from './days-out.ts';
import { MOST_OF_A_LENGTH, readLength } from './length.ts';
import { UNITS } from './tables.ts';
import { type Moment, type TimeRead, readClock } from './times.ts';
import { type DayRead, dayRead, mayBeDay, shortDay, weekdayOf } from './weekdays.ts';
import { BACK_AT_WORK, type Found, type Half, NOON_HOUR, type When, whenOf } from './when-of.ts';

const SMALL: ReadonlySet<string> = new Set(
  'at on by from every each of only between till until and in this next coming around about once just , -'.split(
    ' ',
  ),
);

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
    addPart(found, word);
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
      const half = halfOf(said.join(' '));
      if (before === 'on') break;
      if (!found.time)
        Object.assign(found, { time: clock.what, half, isOpen: /^(?:by|from|between|in)$/.test(before) });
      else if (!found.to && ['to', 'till', 'until', 'and', '-'].includes(before))
        addEnd(found, clock.what, half);
      else break;
      next = clock.next - 1;
      end = next + 1;
      continue;
    }
    const range = /^(\d{1,2}(?::\d{2})?)[-–](\d{1,2}(?::\d{2})?)$/.exec(word);
    if (range && !found.time) {
      const [, from = '', to = ''] = range;
      found.time = timeOf(from);
      addEnd(found, timeOf(to), halfOf(to));
      end = next + 1;
      continue;
    }
    const isEvery = before === 'every' || before === 'each';
    const read = dayRead(word, isEvery, today);
    // "Until friday" after every day is when that ends.
    const isUntil = UNTIL.has(before) && found.time !== undefined;
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
    if (before === 'next' && read?.weekday !== undefined) found.isNext = true;
    if (/^(?:next|this|coming)$/.test(before) && read) found.isOne = true;
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

/** Which part of a day a word says. */
function addPart(found: Found, word: string): void {
  if (/^(?:day|daily|everyday)$/.test(word)) found.isEveryDay = true;
  if (/^(?:evening|tonight|night|afternoon|evenings|nights)$/.test(word)) found.isLateInDay = true;
  if (/^(?:tonight|nights?)$/.test(word)) found.isNight = true;
  if (word === 'morning') found.isMorning = true;
  if (word === 'afternoon') found.isAfternoon = true;
  if (word === 'midnight') found.isMidnight = true;
}

/** A day beside another: days that come again are several, and others than these are not one day. */
function addDay(found: Found, read: DayRead): void {
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
function lastDay(word: string, read: DayRead | undefined): string | undefined {
  if (/^(?:tomorrow|\d{4}-\d{2}-\d{2})$/.test(word)) return word;
  return read?.days === undefined ? read?.weekday : undefined;
}

/** Which half of the day the words of a time say. */
function halfOf(said: string): Half | undefined {
  if (/pm|noon/.test(said)) return 'pm';
  if (/am/.test(said)) return 'am';
  return /^(?:\d|1[0-2])$/.test(said) ? 'bare' : undefined;
}

/** The end of a span of the day; "9 to 5" may be of the afternoon. */
function addEnd(found: Found, to: TimeOfDay, half: Half | undefined): void {
  const { hour = 0 } = found.time ?? {};
  if (half === 'bare' && hour <= NOON_HOUR && to.hour < hour) found.isTorn = true;
  Object.assign(found, { to, isOpen: false });
}

const UNTIL: ReadonlySet<string> = new Set(['until', 'till']);

/** "In two hours", "in an hour and a half": on that day, at that time. */
function readSoon(atoms: readonly Atom[], at: number, { at: now, zone }: Moment): TimeRead<When> | undefined {
  if (atoms[at]?.text !== 'in') return undefined;
  const [first = '', ...more] = atoms.slice(at + 1, at + 1 + MOST_OF_A_LENGTH).map(({ text }) => text);
  // "In a minute": only one.
  const length = readLength([first === 'minute' ? '1m' : first, ...more]);
  if (!length || length.ms === 0) return undefined;
  const then = clockAt(now + length.ms, zone);
  const time = { hour: then.hour, minute: then.minute };
  const date = then.toPlainDate().toString();
  const what = { time, date, nextDate: date, isEnd: false, hoursSince: 1 };
  return { what, next: at + 1 + length.next };
}

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

function timeOf(typed: string): TimeOfDay {
  const [hour = 0, minute = 0] = typed.split(':').map(Number);
  return { hour: hour % 24, minute };
}
