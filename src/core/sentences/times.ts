import { Temporal } from 'temporal-polyfill';
import type { TimeOfDay } from '../../platform/time/clock-words.ts';
import { HOUR_MS } from '../../platform/time/duration.ts';
import { clockAt, momentOf } from '../../platform/time/zoned-time.ts';
import type { Atom } from './atoms.ts';
import { MOST_OF_A_LENGTH, readLength } from './length.ts';
import { NUMBERS, UNITS } from './tables.ts';
import { weekdayOf } from './weekdays.ts';

/** The moment of a sentence: Unix ms, and the IANA name of the zone in which its times of day are meant. */
export interface Moment {
  readonly at: number;
  readonly zone: string;
}

/** What was read, and where the next word stands. */
export interface TimeRead<What> {
  readonly what: What;
  readonly next: number;
}

const LAST: ReadonlySet<string> = new Set('last past previous'.split(' '));
const BEFORE_SPAN: ReadonlySet<string> = new Set('in over for during of within since'.split(' '));
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

/** The month that a word is, in full or in short, from 1 on; 0 for none. */
export function monthCalled(word: string): number {
  return (
    MONTHS.findIndex(
      (month) => month === word || (word.length > 2 && word.length < 5 && month.startsWith(word)),
    ) + 1
  );
}

/** How long, or since when, as the options of commands have it: `24h`, `7d`. Pure. */
export function readSpan(
  atoms: readonly Atom[],
  at: number,
  { at: now, zone }: Moment,
): TimeRead<string> | undefined {
  let next = at;
  while (BEFORE_SPAN.has(atoms[next]?.text ?? '')) next++;
  const between = atoms.slice(at, next).map(({ text }) => text);
  const [word = '', second = '', third = ''] = atoms.slice(next, next + 3).map(withoutGenitive);
  if (word === 'overnight') return { what: '12h', next: next + 1 };
  if (LAST.has(word) && second === 'night') return { what: '12h', next: next + 2 };
  if (word === 'this' && second === 'morning') return { what: '12h', next: next + 2 };
  if (word === 'today') return { what: '24h', next: next + 1 };
  if (word === 'yesterday') return { what: '48h', next: next + 1 };
  if (word === 'this' || (LAST.has(word) && !/^\d/.test(second) && second !== '')) {
    const length = wholeSpan(second);
    if (length !== undefined) return { what: length, next: next + 2 };
  }
  if (word === 'next' && between.includes('for')) {
    const length = readLength(textsFrom(atoms, next + 1));
    if (length) return { what: length.word, next: next + 1 + length.next };
  }
  if (LAST.has(word)) {
    const length = counted(second, third);
    if (length) return { what: length.what, next: next + 1 + length.words };
  }
  const month = monthCalled(word);
  const isMonth = month > 0 && (between.length > 0 || !/^(?:jan|mar|march|may|jun)$/.test(word));
  if (isMonth) return { what: sinceMonth(month, now, zone), next: next + 1 };
  const [, quarter] = /^q([1-4])$/.exec(word) ?? [];
  if (quarter !== undefined) return { what: sinceMonth(Number(quarter) * 3 - 2, now, zone), next: next + 1 };
  if (between.includes('since') && counted(word, second) === undefined) {
    const time = readClock(atoms, next, true);
    if (time) return { what: `${hoursSince(time.what, now, zone)}h`, next: time.next };
    const day = weekdayOf(word);
    if (day !== undefined) return { what: `${daysSince(day, now, zone)}d`, next: next + 1 };
  }
  // "In two hours" is a moment, and no span.
  if (between.at(-1) === 'in') return undefined;
  if (between.includes('for')) {
    const said = readLength(textsFrom(atoms, next));
    return said && { what: said.word, next: next + said.next };
  }
  const length = counted(word, second);
  return length ? { what: length.what, next: next + length.words } : undefined;
}

/** As many words as a length may have. */
function textsFrom(atoms: readonly Atom[], at: number): readonly string[] {
  return atoms.slice(at, at + MOST_OF_A_LENGTH).map(({ text }) => text);
}

/** A word that is followed by what is its: "october's", "last month's". */
export function withoutGenitive({ text }: Atom): string {
  return text.replace(/['\u2019]s$/, '');
}

/** "week", "month", "hour". */
function wholeSpan(word: string): string | undefined {
  const letter = UNITS[word];
  if (/^months?$/.test(word)) return '30d';
  if (letter === undefined || letter === 'm') return undefined;
  if (letter === 'w') return '7d';
  return letter === 'd' ? '24h' : '1h';
}

/** "24 hours", "4h", "an hour". */
function counted(word: string, unit: string): { readonly what: string; readonly words: number } | undefined {
  const [, count, letters] = /^(\d{1,3})([a-z]+)?$/.exec(NUMBERS[word] ?? word) ?? [];
  if (count === undefined)
    return /^half$/.test(word) && unit === 'hour' ? { what: '30m', words: 2 } : undefined;
  const letter = UNITS[letters ?? unit];
  if (letter !== undefined) return { what: `${count}${letter}`, words: letters === undefined ? 2 : 1 };
  return letters === undefined && /^months?$/.test(unit)
    ? { what: `${Number(count) * 30}d`, words: 2 }
    : undefined;
}

/** The time since a month began, or since it last did. */
function sinceMonth(month: number, now: number, zone: string): string {
  const today = clockAt(now, zone).toPlainDate();
  const year = month > today.month ? today.year - 1 : today.year;
  return `${today.since(new Temporal.PlainDate(year, month, 1), { largestUnit: 'days' }).days + 1}d`;
}

export function hoursSince(time: TimeOfDay, now: number, zone: string): number {
  return Math.max(1, Math.ceil((now - lastAt(time, { at: now, zone })) / HOUR_MS));
}

/** When it was that time of day last, before the moment; Unix ms. Pure. */
export function lastAt({ hour, minute }: TimeOfDay, { at: now, zone }: Moment): number {
  const today = clockAt(now, zone).toPlainDate();
  const momentIn = (days: number): number =>
    momentOf(today.add({ days }).toPlainDateTime({ hour, minute }), zone).at;
  return momentIn(0) < now ? momentIn(0) : momentIn(-1);
}

function daysSince(day: number, now: number, zone: string): number {
  return ((clockAt(now, zone).dayOfWeek - day + 7) % 7) + 1;
}

/** A time of day: `22:30`, `8pm`, `7 am`, `noon`, and a bare number where a time is sought. Pure. */
export function readClock(
  atoms: readonly Atom[],
  at: number,
  isSought: boolean,
): TimeRead<TimeOfDay> | undefined {
  const [word = '', second = ''] = atoms.slice(at, at + 2).map(({ text }) => text);
  if (word === 'noon') return { what: { hour: 12, minute: 0 }, next: at + 1 };
  if (word === 'midnight') return { what: { hour: 0, minute: 0 }, next: at + 1 };
  const [, hours, minutes, attached] =
    /^(\d{1,2})(?:[:.h](\d{2}))?(am|pm|h|oclock|o'clock)?$/.exec(word) ?? [];
  if (hours === undefined) return undefined;
  const apart = attached === undefined && /^(?:am|pm|oclock|o'clock)$/.test(second) ? second : undefined;
  const half = attached ?? apart;
  if (half === undefined && minutes === undefined && !isSought) return undefined;
  if (/^[ap]m$/.test(half ?? '') && (Number(hours) < 1 || Number(hours) > 12)) return undefined;
  const hour =
    half === 'pm' && Number(hours) < 12
      ? Number(hours) + 12
      : half === 'am' && Number(hours) === 12
        ? 0
        : Number(hours);
  const minute = Number(minutes ?? 0);
  if (hour > 23 || minute > 59) return undefined;
  return { what: { hour, minute }, next: at + (apart === undefined ? 1 : 2) };
}
