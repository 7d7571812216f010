import { Temporal } from 'temporal-polyfill';
import { join, type Phrase, say } from '../../platform/slack/phrase.ts';
import type { DaysOut } from '../sentences/days-out.ts';
import type { Exception } from './when.ts';

/** The days that a schedule leaves out. Pure. */

/** Its days; of a list, those that were put in. */
function daysOf(except: readonly Exception[]): readonly DaysOut[] {
  return except.flatMap((one) => ('list' in one ? (one.days ?? []) : [one]));
}

/** Whether a day is left out. `shown`: a day, or a day and a time, as in 2026-12-24T20:00. */
export function isLeftOut(shown: string, except: readonly Exception[]): boolean {
  const day = shown.slice(0, 'yyyy-mm-dd'.length);
  return daysOf(except).some(({ from, to }) => from <= day && day <= to);
}

/** How many days that are, those that stand there twice counted twice. */
export function daysLeftOut(except: readonly Exception[]): number {
  return daysOf(except).reduce(
    (sum, { from, to }) => sum + Temporal.PlainDate.from(from).until(to).days + 1,
    0,
  );
}

/** ", not on berlin holidays", ", not on 24 Dec 2026 and from 30 Dec 2026 to 1 Jan 2027"; nothing where none is left out. */
export function exceptionWords(except: readonly Exception[] = []): Phrase {
  if (except.length === 0) return say``;
  return say`, not ${listed(except.map(oneWords))}`;
}

function oneWords(one: Exception): Phrase {
  if ('list' in one) return say`on ${one.list} holidays`;
  return say`${one.from === one.to ? 'on' : 'from'} ${rangeWords(one)}`;
}

/** "24 Dec 2026", "24 to 26 Dec 2026", "24 Dec to 1 Jan 2027": the year is that of the last day. */
export function rangeWords({ from, to }: DaysOut): string {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)];
  const end = `${dayWords(last)} ${last.year}`;
  if (first.equals(last)) return end;
  const isFar = last.since(first, { largestUnit: 'years' }).years > 0;
  const isSameMonth = first.year === last.year && first.month === last.month;
  const begin = isFar
    ? `${dayWords(first)} ${first.year}`
    : isSameMonth
      ? String(first.day)
      : dayWords(first);
  return `${begin} to ${end}`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function dayWords({ day, month }: Temporal.PlainDate): string {
  return `${day} ${MONTHS[month - 1] ?? ''}`;
}

/** "a, b and c". Pure. */
export function listed(phrases: readonly Phrase[]): Phrase {
  const [last = say``] = phrases.slice(-1);
  const before = phrases.slice(0, -1);
  return before.length === 0 ? last : say`${join(before, ', ')} and ${last}`;
}
