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
