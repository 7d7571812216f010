import { z } from 'zod';
import { POWERS } from '../../platform/hosting/service.ts';
import { findZone } from '../../platform/time/zoned-time.ts';
import { Temporal } from 'temporal-polyfill';
import { join, type Phrase, say } from '../../platform/slack/phrase.ts';
import type { DaysOut } from '../sentences/days-out.ts';

/** Nothing is planned further ahead. */
export const MAX_DAYS_AHEAD = 400;

const verb = z.enum(POWERS);
/** A time of day by the clock of a zone, which is an IANA name. */
export const timeInZone = {
  hour: z.int().min(0).max(23),
  minute: z.int().min(0).max(59),
  zone: z.string().refine((name) => findZone(name) !== undefined),
} as const;
const { hour, minute, zone } = timeInZone;

/** One verb at one time of day, on some days of the week; Monday is 1. */
const ruleSchema = z.object({ verb, days: z.array(z.int().min(1).max(7)).min(1), hour, minute });
export type ScheduleRule = z.infer<typeof ruleSchema>;

const daySchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/** How many days and ranges one schedule leaves out at most. */
export const MAX_EXCEPTIONS = 20;

/** Days there, the first and the last of them included. */
const daysSchema = z.object({ from: daySchema, to: daySchema });
/** What it leaves out: days, or a list of holidays of the policy file. */
const exceptionSchema = z.union([
  daysSchema,
  z.object({
    list: z.string(),
    /** Its days, as `withHolidays` puts them in for a look; never written down. */
    days: z.array(daysSchema).optional(),
  }),
]);
export type Exception = z.infer<typeof exceptionSchema>;

/** When a schedule runs, as it is kept in Redis. `zone` is an IANA name; `date` is a day there, as in 2026-12-24. */
export const whenSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('weekly'),
    zone,
    rules: z.array(ruleSchema).min(1).max(2),
    except: z.array(exceptionSchema).min(1).max(MAX_EXCEPTIONS).optional(),
    /** What somebody starts between a stop and the next start is stopped again. */
    keeps: z.literal(true).optional(),
    /** Nothing runs after it, Unix ms; without it, it goes on. */
    until: z.number().optional(),
  }),
  z.object({
    kind: z.literal('once'),
    ...timeInZone,
    verb,
    date: daySchema,
    /** The exact moment, where it is not a time that somebody named: Unix ms. */
    at: z.number().optional(),
  }),
]);
export type When = z.infer<typeof whenSchema>;

/** The days that a schedule leaves out; of a list, those that were put in. Pure. */
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
