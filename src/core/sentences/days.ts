import { Temporal } from 'temporal-polyfill';
import { clockAt } from '../../platform/time/zoned-time.ts';
import type { Atom } from './atoms.ts';
import { type Moment, monthCalled, type TimeRead, withoutGenitive } from './times.ts';
import { weekdayOf } from './weekdays.ts';

/** A day that is over or goes on, as people say it, in lower case. */
export const ONE_DAY =
  /^(?:today|yesterday|(?:last )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday))$/;
/** The same of a night, and of several days. */
export const NIGHT = /^(?:tonight|overnight|last night)$/;
export const SEVERAL_DAYS = /^(?:this|last|previous) (?:week|month)$|^since yesterday$/;
/** The same from a time of day on: "since 23:00", "since 11 pm". */
export const SINCE = /^since (?:\d{1,2}(?:[:.h]\d{2})?(?: ?[ap]m)?|noon|midnight)$/;

/** What of the words of a span, from `at` to before `next`, is said of a time that `takePeriods` reads; undefined for any other. Pure. */
export function saidTime(atoms: readonly Atom[], at: number, next: number): string | undefined {
  const texts = atoms.slice(at, next).map(withoutGenitive);
  const said = texts
    .slice(texts.findIndex((text) => !/^(?:in|over|for|during|of|within|on)$/.test(text)))
    .join(' ');
  return [ONE_DAY, NIGHT, SEVERAL_DAYS, SINCE].some((pattern) => pattern.test(said)) ? said : undefined;
}

/** A day of the week that is over, "on monday", where nothing more is said of when; and how many days ago it began. Pure. */
export function readPastDay(
  atoms: readonly Atom[],
  at: number,
  { at: now, zone }: Moment,
): TimeRead<string> | undefined {
  let next = at;
  while (/^(?:on|last)$/.test(atoms[next]?.text ?? '')) next++;
  const [word = '', after] = [atoms[next]?.text, atoms[next + 1]];
  const day = ONE_DAY.test(word) ? weekdayOf(word) : undefined;
  if (day === undefined || (after && !after.isMark)) return undefined;
  const ago = (clockAt(now, zone).dayOfWeek - day + 7) % 7;
  return { what: `${ago + 1}d`, next: next + 1 };
}

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
  const day = weekdayOf(word);
  if (day === undefined || !(isSince || ONE_DAY.test(word))) return undefined;
  const ago = (today.dayOfWeek - day + 7) % 7;
  const first = today.subtract({ days: ago === 0 && isLast ? 7 : ago });
  return isSince ? until(first) : first.toString();
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
