import { Temporal } from 'temporal-polyfill';
import { clockAt } from '../../platform/time/zoned-time.ts';
import type { Atom } from './atoms.ts';
import { type Moment, monthCalled, type TimeRead } from './times.ts';
import { weekdayOf } from './weekdays.ts';

/** Days of the calendar that something leaves out, the first and the last of them included: `2026-12-24`. */
export interface DaysOut {
  readonly from: string;
  readonly to: string;
}

/** The same by the name of a list of holidays. */
export interface ListOut {
  readonly list: string;
}

const INTROS = ['except', 'excluding', 'but not', 'not on', 'not from', 'apart from'].map((words) =>
  words.split(' '),
);
const SMALL: ReadonlySet<string> = new Set('on for from the between'.split(' '));
const TO: ReadonlySet<string> = new Set('to till until through -'.split(' '));
/** A range whose years nobody says goes from one into the next only where it is shorter: else its ends are the wrong way round. */
const MAX_OVER_NEW_YEAR_DAYS = 184;
/** The 29th of February comes again within so many years. */
const YEARS = 8;

/** How many words from `at` on say that days follow which are left out: "except", "but not". Pure. */
export function introLength(words: readonly string[], at: number): number {
  const intro = INTROS.find((one) => one.every((word, index) => words[at + index]?.toLowerCase() === word));
  return intro?.length ?? 0;
}

/**
 * "except 24 Dec to 1 Jan", "except 2026-12-24..2027-01-01, 2027-01-06", "but not on Dec 24 and 25 Dec", "except berlin holidays": the days, in the order
 * in which they are named, and lists by their names. A day without a year is the next such day. What ends before it begins is given so. `isBare`: commas between
 * them may have got lost, and a word by itself is a list. Undefined where no day follows. Pure.
 */
export function readDaysOut(
  atoms: readonly Atom[],
  at: number,
  moment: Moment,
  isBare = false,
): TimeRead<readonly (DaysOut | ListOut)[]> | undefined {
  const length = introLength(
    atoms.map(({ text }) => text),
    at,
  );
  if (length === 0) return undefined;
  const tokens = atoms.slice(at + length).flatMap(tokensOf);
  const today = clockAt(moment.at, moment.zone).toPlainDate();
  const days: (DaysOut | ListOut)[] = [];
  let next = 0;
  for (let seek = 0; ;) {
    const read = readRange(tokens, seek, today) ?? readList(tokens, seek, isBare);
    if (!read) break;
    days.push(read.what);
    next = read.next;
    seek = next;
    while (/^(?:,|and)$/.test(tokens[seek]?.text ?? '')) seek++;
    if (seek === next && !isBare) break;
  }
  const end = tokens[next - 1];
  if (!end) return undefined;
  const all = tokens.slice(0, next).filter((one) => one.isFirst).length;
  return { what: days, next: at + length + all };
}

/** The same as words of a command. Pure. */
export function daysOutWords(days: readonly (DaysOut | ListOut)[]): readonly string[] {
  const word = (one: DaysOut | ListOut): string =>
    'list' in one ? one.list : one.from === one.to ? one.from : `${one.from}..${one.to}`;
  return ['except', days.map(word).join(',')];
}

/** A part of a word; a word may be several: "24-26", "24dec". */
interface Token {
  readonly text: string;
  readonly isFirst: boolean;
}

const DATES = /^(\d{4}-\d{2}-\d{2})(-)(\d{4}-\d{2}-\d{2})$/;
const JOINED = /^(\d{1,2})([a-z]{3,9})$/;

function tokensOf({ text }: Atom): readonly Token[] {
  const isDay = (part: string): boolean => part === '-' || dayIn(part) > 0 || monthCalled(part) > 0;
  const parts = text
    .split(/(-)/)
    .flatMap((part) => (dayIn(part) > 0 ? [part] : (JOINED.exec(part)?.slice(1) ?? [part])));
  const split = DATES.exec(text)?.slice(1) ?? (parts.every(isDay) ? parts : [text]);
  return split.map((part, index) => ({ text: part, isFirst: index === 0 }));
}

/** A day as far as it is said. */
interface Said {
  readonly day: number;
  readonly month?: number;
  readonly year?: number;
}

function readRange(
  tokens: readonly Token[],
  from: number,
  today: Temporal.PlainDate,
): TimeRead<DaysOut> | undefined {
  let at = from;
  while (SMALL.has(tokens[at]?.text ?? '')) at++;
  const first = readDay(tokens, at);
  if (!first) return undefined;
  const { text: mark = '' } = tokens[first.next] ?? {};
  // Of two dots one mark is left.
  const isRange = TO.has(mark) || (mark === '.' && ISO.test(tokens[first.next + 1]?.text ?? ''));
  const last = (isRange ? readDay(tokens, first.next + 1) : undefined) ?? first;
  const month = last.what.month ?? first.what.month ?? monthAhead(tokens, last.next);
  const what = rangeOf({ month, ...first.what }, { month, ...last.what }, today);
  return what && { what, next: last.next };
}

const HOLIDAYS = /^(?:public|bank)?holidays?$/;
const NAME = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}._-]{0,79}$/u;

/** "berlin holidays", "holidays berlin", and a bare name where that can be nothing else. */
function readList(tokens: readonly Token[], from: number, isBare: boolean): TimeRead<ListOut> | undefined {
  let at = from;
  while (SMALL.has(tokens[at]?.text ?? '')) at++;
  const [one = '', two = ''] = tokens.slice(at, at + 2).map(({ text }) => text);
  if (HOLIDAYS.test(one) && isName(two)) return { what: { list: two }, next: at + 2 };
  if (!isName(one)) return undefined;
  if (HOLIDAYS.test(two)) return { what: { list: one }, next: at + 2 };
  return isBare ? { what: { list: one }, next: at + 1 } : undefined;
}

function isName(word: string): boolean {
  const isOther =
    HOLIDAYS.test(word) || weekdayOf(word) !== undefined || /^(?:and|week(?:day|end)s?)$/.test(word);
  return NAME.test(word) && !isOther;
}

/** The month of days that are said before it: "24, 25 and 26 Dec". */
function monthAhead(tokens: readonly Token[], from: number): number | undefined {
  const isBetween = ({ text }: Token): boolean => dayIn(text) > 0 || TO.has(text) || /^(?:,|and)$/.test(text);
  const after = tokens.slice(from).find((token) => !isBetween(token));
  return monthCalled(after?.text ?? '') || undefined;
}

function readDay(tokens: readonly Token[], at: number): TimeRead<Said> | undefined {
  const [one = '', two = '', three = '', four = ''] = tokens.slice(at, at + 4).map(({ text }) => text);
  const [, years, months, days] = ISO.exec(one) ?? [];
  if (years !== undefined)
    return { what: { year: Number(years), month: Number(months), day: Number(days) }, next: at + 1 };
  const isMonthFirst = monthCalled(one) > 0;
  const month = monthCalled(isMonthFirst ? one : two);
  const day = dayIn(isMonthFirst ? two : one);
  if (day === 0) return undefined;
  if (month === 0) return { what: { day }, next: at + 1 };
  // "Dec 24, 2026"
  const isApart = isMonthFirst && three === ',' && YEAR.test(four);
  const year = isApart ? four : three;
  if (!YEAR.test(year)) return { what: { day, month }, next: at + 2 };
  return { what: { day, month, year: Number(year) }, next: at + (isApart ? 4 : 3) };
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})$/;
const YEAR = /^20\d\d$/;

/** The day of a month that a word is; 0 for none. */
function dayIn(word: string): number {
  return Number(/^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word)?.[1] ?? 0);
}

/** Undefined where there are no such days. */
function rangeOf(opening: Day, ending: Day, today: Temporal.PlainDate): DaysOut | undefined {
  const from = opening.year === undefined ? undefined : dateOf(opening, opening.year);
  const to =
    ending.year === undefined
      ? firstFrom(ending, from && isBefore(today, from) ? from : today)
      : dateOf(ending, ending.year);
  if (!to) return undefined;
  if (opening.year !== undefined) return from && { from: from.toString(), to: to.toString() };
  const inYear = dateOf(opening, to.year);
  const inYearBefore = dateOf(opening, to.year - 1);
  const isOverNewYear =
    inYear !== undefined &&
    inYearBefore !== undefined &&
    isBefore(to, inYear) &&
    inYearBefore.until(to).days <= MAX_OVER_NEW_YEAR_DAYS;
  const begins = isOverNewYear ? inYearBefore : inYear;
  return begins && { from: begins.toString(), to: to.toString() };
}

type Day = Omit<Said, 'month'> & { readonly month?: number | undefined };

function dateOf({ day, month }: Day, year: number): Temporal.PlainDate | undefined {
  if (month === undefined) return undefined;
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
  } catch {
    return undefined;
  }
}

/** The first such day that is not before another. */
function firstFrom(said: Day, earliest: Temporal.PlainDate): Temporal.PlainDate | undefined {
  return Array.from({ length: YEARS + 1 }, (_, years) => dateOf(said, earliest.year + years)).find(
    (date) => date && !isBefore(date, earliest),
  );
}

function isBefore(one: Temporal.PlainDate, other: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(one, other) < 0;
}
