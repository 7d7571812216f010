import { Temporal } from 'temporal-polyfill';
import { WEEKDAYS } from '../../platform/time/clock-words.ts';

/** The day of the week of a date, as commands have it: `fri`; undefined without one. */
export function dayOfWeek(date: string | undefined): string | undefined {
  return date === undefined ? undefined : shortDay(Temporal.PlainDate.from(date).dayOfWeek);
}

/** As commands have it: `fri`. */
export function shortDay(day: number): string {
  return (WEEKDAYS[day - 1] ?? '').slice(0, 3).toLowerCase();
}

/** A day of the week, also in the plural: Monday is 1. */
export function weekdayOf(word: string): number | undefined {
  const index = WEEKDAYS.findIndex((day) => {
    const name = day.toLowerCase();
    return (
      word === name || word === `${name}s` || (word.length >= 3 && word.length <= 5 && name.startsWith(word))
    );
  });
  return index < 0 ? undefined : index + 1;
}

/** The day of the calendar after another. Pure. */
export function dayAfter(date: string): string {
  return Temporal.PlainDate.from(date).add({ days: 1 }).toString();
}

/** The day of the week after another, as commands have them; any other word as it is. Pure. */
export function dayAfterDay(day: string): string {
  const number = weekdayOf(day);
  return number === undefined ? day : shortDay((number % 7) + 1);
}

/** What one word says of the day, as far as it does: days as schedules have them, a day of the week, a day of the calendar. */
export interface DayRead {
  readonly days?: string;
  readonly weekday?: string;
  readonly date?: string;
}

/** Whether a word may begin to say on which day. Pure. */
export function mayBeDay(word: string): boolean {
  return /^(?:mon|tue|wed|thu|fri|sat|sun|week|work|daily|every|night|to)/.test(word);
}

/** The day that a word says, "every" before it or not; undefined for any other word. Pure. */
export function dayRead(word: string, isEvery: boolean, today: Temporal.PlainDate): DayRead | undefined {
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
