import { z } from 'zod';
import type { WokenOne } from '../../../core/records/job.ts';
import type { OneKind, OneRecord } from '../../../core/records/one-record.ts';
import type { Transaction, TransactionPage } from '../../../platform/hosting/service.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { key } from '../../../platform/redis/key.ts';
import { whenOf, MAX_STALE_PAGES_OF_JOB, NOT_BEGUN, walkSchema, withPage } from '../transactions/walk.ts';
import { dayAt, startOf } from './day.ts';
import { KEPT_DAYS } from './days.ts';

/** One reading of the service's list, from its newest transaction back to the day `from`. Times are the calendar's, Unix ms. */
const readingSchema = walkSchema.extend({
  /** One of its own. */
  run: z.string(),
  /** Nothing was read before it: the account is as old as its oldest transaction. */
  isFirst: z.boolean(),
  /** The day that is not over: the days before it are read. */
  today: z.string(),
  from: z.string(),
  /** The days from this one on were all read. */
  passed: z.string(),
  /** The days from this one on are closed: what was read of them counts. */
  closed: z.string(),
  /** The oldest day that occurred. */
  oldest: z.string(),
});
export type Reading = z.infer<typeof readingSchema>;

const fillingSchema = z.object({
  /** When something is to be done next. */
  dueAt: z.number(),
  /** The oldest and the newest day that the service was read for. */
  filled: z.object({ from: z.string(), to: z.string(), at: z.number() }).optional(),
  /** The service lists no transactions. */
  isNotOffered: z.literal(true).optional(),
  reading: readingSchema.optional(),
  /** How often it failed since something could be read last. */
  failures: z.int(),
});
export type Filling = z.infer<typeof fillingSchema>;

export type FillingStore = OneRecord<Filling>;

/** How far the ledger is filled. */
export const LEDGER: OneKind<Filling> & WokenOne<Filling> = {
  job: 'billing.ledger',
  id: 'ledger',
  isSeldom: true,
  isByCalendar: true,
  key: key('ledger'),
  schema: fillingSchema,
  none: { dueAt: 0, failures: 0 },
  dueAt: ({ dueAt }) => dueAt,
};

/** So many days that were closed are read anew each day, for what is booked late. */
const ANEW_DAYS = 3;
/** How much of the service's list is read through: 400 days of a thousand instances with an add-on each. */
const MAX_PAGES = 20_000;
/** So long after midnight the day before it is read: most services charge at midnight. */
const AFTER_MIDNIGHT_MS = 1_800_000;

/** A reading that begins now. Pure. */
export function begun({ filled }: Filling, run: string, now: number): Reading {
  const today = dayAt(now);
  const from = filled ? daysBefore(filled.to, ANEW_DAYS - 1) : oldestKept(today);
  return {
    ...NOT_BEGUN,
    run,
    isFirst: filled === undefined,
    today,
    from: earlierOf(from, today),
    passed: today,
    closed: today,
    oldest: daysBefore(today, 1),
  };
}

/** Whether a day is written anew, whatever stood there: the newest are. Pure. */
export function isAnew({ today }: Reading, day: string): boolean {
  return day >= daysBefore(today, ANEW_DAYS + 1);
}

/** Transactions by the day that they belong to. */
export type ByDay = Map<string, Transaction[]>;

/** The reading with one page more. What of the page is new is put to `taken`. */
export function withNextPage(reading: Reading, page: TransactionPage, taken: ByDay): Reading {
  const { today } = reading;
  const wanted = { since: startOf(reading.from), maxPages: MAX_PAGES, maxStale: MAX_STALE_PAGES_OF_JOB };
  const { walk, fresh, reached } = withPage(reading, page, wanted);
  let { oldest } = reading;
  // What has no time is told with what stands before it in the list.
  let at = reading.cursor.lastAt ?? startOf(today) - 1;
  for (const one of fresh) {
    at = whenOf(one) ?? at;
    const day = dayAt(at);
    oldest = earlierOf(day, oldest);
    if (day >= today || day < oldestKept(today)) continue;
    const others = taken.get(day);
    if (others) others.push(one);
    else taken.set(day, [one]);
  }
  const next = { ...reading, ...walk, oldest };
  return { ...next, passed: earlierOf(passedBy(next, reached), reading.passed) };
}

/** From which day on all was read. */
function passedBy({ from, oldest, passed, isFirst, end }: Reading, reached: number | undefined): string {
  if (reached !== undefined && end !== 'all') return laterOf(from, daysBefore(dayAt(reached), -1));
  if (end !== 'all') return passed;
  return isFirst ? laterOf(from, oldest) : from;
}

/** Whether the record stands where this reading has left it. Pure. */
export function isAt({ reading }: Filling, { run, page, closed, end }: Reading): boolean {
  return reading?.run === run && reading.page === page && reading.closed === closed && reading.end === end;
}

/** The days that are to be closed next, the newest first: at most `most`. Pure. */
export function toClose({ closed, passed }: Reading, most: number): string[] {
  const days: string[] = [];
  for (let day = daysBefore(closed, 1); day >= passed && days.length < most; day = daysBefore(day, 1))
    days.push(day);
  return days;
}

/** The state once a reading is through. What was cut off before it came to what is known is read again. Pure. */
export function ended(before: Filling, reading: Reading, now: number): Filling {
  const { filled, reading: _, ...rest } = before;
  const { closed, today, end } = reading;
  const to = daysBefore(today, 1);
  const isFurther = closed <= to && (filled === undefined || end === 'all');
  const next = isFurther ? { from: earlierOf(closed, filled?.from ?? closed), to, at: now } : filled;
  return {
    ...rest,
    failures: 0,
    dueAt: nextDayAt(startOf(today)),
    ...(next ? { filled: next } : {}),
  };
}

/** When the next day is read, Unix ms. Pure. */
export function nextDayAt(now: number): number {
  return startOf(dayAt(now)) + DAY_MS + AFTER_MIDNIGHT_MS;
}

function oldestKept(today: string): string {
  return daysBefore(today, KEPT_DAYS - 1);
}

function daysBefore(day: string, count: number): string {
  return dayAt(startOf(day) - count * DAY_MS);
}

function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}

function earlierOf(one: string, other: string): string {
  return one < other ? one : other;
}
