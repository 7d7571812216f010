import { DAY_MS, MINUTE_MS } from '../../../platform/time/duration.ts';
import { z } from 'zod';
import { Refusal } from '../../../core/refusal.ts';
import { type Phrase, say } from '../../../platform/slack/phrase.ts';
import { findZone, momentOf, wallAt } from './wall-time.ts';

/** The days of a week; Monday is the first. */
export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** When a digest is sent, as it is kept in Redis. `weekday` counts from Monday, which is 1; `zone` is an IANA name. */
export const scheduleSchema = z.object({
  weekday: z.int().min(1).max(7),
  hour: z.int().min(0).max(23),
  minute: z.int().min(0).max(59),
  zone: z.string().refine((zone) => findZone(zone) !== undefined),
  onlyChanges: z.boolean(),
});
export type Schedule = Readonly<z.infer<typeof scheduleSchema>>;

const EXAMPLE = 'billing digest weekly mon 09:00 Europe/Madrid only changes';

/**
 * The schedule in the words after `billing digest`: `weekly mon 09:00 [zone] [only changes]`; without a zone in UTC.
 * Throws a Refusal with an example for anything else.
 */
export function parseSchedule(words: readonly string[]): Schedule {
  const [day, clock, ...more] = words[0]?.toLowerCase() === 'weekly' ? words.slice(1) : words;
  if (day === undefined || clock === undefined) throw no(say`A digest needs a day of the week and a time`);
  const weekday = weekdayOf(day);
  if (weekday === undefined) throw no(say`"${day}" is no day of the week that I know`);
  const time = timeOf(clock);
  if (!time) throw no(say`"${clock}" is no time that I know; it goes from 00:00 to 23:59`);
  const onlyChanges = more.slice(-2).join(' ').toLowerCase() === 'only changes';
  const [typedZone = 'UTC', ...left] = onlyChanges ? more.slice(0, -2) : more;
  const zone = findZone(typedZone);
  if (zone === undefined)
    throw no(say`"${typedZone}" is no time zone that I know; name one by its city, or say UTC`);
  if (left.length > 0) throw no(say`I can't read "${left.join(' ')}" after the time zone`);
  return { weekday, ...time, zone, onlyChanges };
}

/** The next moment strictly after `afterMs`, both in Unix ms; where the clock skips the time, when it has skipped it. */
export function nextAt(schedule: Schedule, afterMs: number): number {
  const { weekday, hour, minute, zone } = schedule;
  const today = Math.floor(wallAt(afterMs, zone) / DAY_MS);
  // 1 January 1970 was a Thursday.
  const daysAhead = (weekday - 1 - ((today + 3) % 7) + 7) % 7;
  const wallMs = (today + daysAhead) * DAY_MS + (hour * 60 + minute) * MINUTE_MS;
  const at = momentOf(wallMs, zone);
  return at > afterMs ? at : momentOf(wallMs + 7 * DAY_MS, zone);
}

/** A day by its English name or its first letters, three at least. */
function weekdayOf(typed: string): number | undefined {
  const lower = typed.toLowerCase();
  const index = WEEKDAYS.findIndex((day) => day.toLowerCase().startsWith(lower));
  return index === -1 || lower.length < 3 ? undefined : index + 1;
}

function timeOf(typed: string): { hour: number; minute: number } | undefined {
  const [, hour, minute = '0'] = /^(\d{1,2})(?::(\d{2}))?$/.exec(typed) ?? [];
  const time = { hour: Number(hour), minute: Number(minute) };
  return time.hour <= 23 && time.minute <= 59 ? time : undefined;
}

function no(why: Phrase): Refusal {
  return new Refusal('bad-schedule', say`${why}. Say it as in ${EXAMPLE}.`);
}
