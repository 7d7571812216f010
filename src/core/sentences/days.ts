import { Temporal } from 'temporal-polyfill';
import { clockAt } from '../../platform/time/zoned-time.ts';
import type { Atom } from './atoms.ts';
import { type Moment, monthCalled, withoutGenitive } from './times.ts';
import { weekdayOf } from './weekdays.ts';

/**
 * The days of the calendar that the words of a span mean, from `at` to before `next`: `2026-10`, `2026-q3`, `2026-11-25`, or the
 * first and the last of them, `2026-11-16..2026-11-22`; undefined where they only say how long. Pure.
 */
export function readDays(
  atoms: readonly Atom[],
  at: number,
  next: number,
  { at: now, zone }: Moment,
): string | undefined {
  const texts = atoms.slice(at, next).map(withoutGenitive);
  const today = clockAt(now, zone).toPlainDate();
  const word = texts.at(-1) ?? '';
  const isLast = texts.some((text) => text === 'last' || text === 'previous');
  const isSince = texts.includes('since');
  const until = (first: Temporal.PlainDate): string => `${first.toString()}..${today.toString()}`;
  if (word === 'today') return today.toString();
  if (word === 'yesterday') {
    const first = today.subtract({ days: 1 });
    return isSince ? until(first) : first.toString();
  }
  const [, quarter] = /^q([1-4])$/.exec(word) ?? [];
  const named = quarter === undefined ? monthCalled(word) : Number(quarter) * 3 - 2;
  if (named > 0) {
    const year = named > today.month ? today.year - 1 : today.year;
    const first = new Temporal.PlainDate(year, named, 1);
    if (isSince) return until(first);
    return quarter === undefined ? monthOf(first) : `${year}-q${quarter}`;
  }
  const isOne = isLast || texts.includes('this');
  if (word === 'month' && isOne) return monthOf(isLast ? today.subtract({ months: 1 }) : today);
  if (word === 'week' && isOne) {
    const monday = today.subtract({ days: today.dayOfWeek - 1 });
    if (!isLast) return until(monday);
    return `${monday.subtract({ days: 7 }).toString()}..${monday.subtract({ days: 1 }).toString()}`;
  }
  const day = isSince ? weekdayOf(word) : undefined;
  return day === undefined ? undefined : until(today.subtract({ days: (today.dayOfWeek - day + 7) % 7 }));
}

/** Whether these days, several of them, were over before today: what is still going on is better read up to now. Pure. */
export function areOver(days: string, { at: now, zone }: Moment): boolean {
  const today = clockAt(now, zone).toPlainDate();
  const [, year, quarter] = /^(\d{4})-q(\d)$/.exec(days) ?? [];
  if (quarter !== undefined)
    return Number(year) * 4 + Number(quarter) < today.year * 4 + Math.ceil(today.month / 3);
  return days.length === 7
    ? days < monthOf(today)
    : days.includes('..') && days.slice(-10) < today.toString();
}

function monthOf(day: Temporal.PlainDate): string {
  return day.toString().slice(0, 7);
}
