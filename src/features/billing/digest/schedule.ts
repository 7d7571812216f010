import { inWords, oneOf } from '../../../core/ask/mend-words.ts';
import { z } from 'zod';
import { type Instead, Refusal } from '../../../core/refusal.ts';
import { type Phrase, say } from '../../../platform/slack/phrase.ts';
import { nextMoment, parseTimeOfDay, parseWeekday } from '../../../platform/time/clock-words.ts';
import { findZone } from '../../../platform/time/zoned-time.ts';

/** When a digest is sent, as it is kept in Redis. `weekday` counts from Monday, which is 1; `zone` is an IANA name. */
export const scheduleSchema = z.object({
  weekday: z.int().min(1).max(7),
  hour: z.int().min(0).max(23),
  minute: z.int().min(0).max(59),
  zone: z.string().refine((zone) => findZone(zone) !== undefined),
  /** Version 1.1 reads no digest without it, as during an update: a digest comes each week. */
  onlyChanges: z.literal(false).catch(false),
});
export type Schedule = Readonly<z.infer<typeof scheduleSchema>>;

const EXAMPLE = '/billing digest weekly mon 09:00';

/**
 * The schedule in the words after `billing digest`: `weekly mon 09:00 [zone]`; without a zone in `usualZone`.
 * Throws a Refusal with an example for anything else.
 */
export function parseSchedule(words: readonly string[], usualZone: string): Schedule {
  const [day, clock, ...more] = together(words[0]?.toLowerCase() === 'weekly' ? words.slice(1) : words);
  if (day === undefined || clock === undefined)
    throw no(say`A digest needs a day of the week and a time`, instead(day, undefined, []));
  const weekday = parseWeekday(day);
  if (weekday === undefined)
    throw no(say`"${day}" isn't a day of the week that I know`, instead(day, clock, more));
  const time = parseTimeOfDay(clock);
  if (!time)
    throw no(
      say`I don't understand the time "${clock}". Use a time from 00:00 to 23:59`,
      oneOf(['weekly', day.slice(0, 3).toLowerCase(), inWords('Time', '09:00 or 9:30pm'), ...more]),
    );
  if (more.slice(-2).join(' ').toLowerCase() === 'only changes')
    throw no(
      say`A digest comes each week, whether or not something changed`,
      oneOf(['weekly', day.slice(0, 3).toLowerCase(), clock, ...more.slice(0, -2)]),
    );
  const [typedZone = usualZone, ...left] = more;
  const zone = findZone(typedZone);
  if (zone === undefined)
    throw no(say`"${typedZone}" isn't a time zone that I know. Use a city, like Europe/Berlin, or UTC`);
  if (left.length > 0) throw no(say`I can't read "${left.join(' ')}" after the time zone`);
  return { weekday, ...time, zone, onlyChanges: false };
}

/** The same with a time of two words, "9 am", as one. */
function together(words: readonly string[]): readonly string[] {
  const [day = '', clock = '', half = ''] = words;
  const isHalf = /^[ap]m$/i.test(half) && /^\d/.test(clock);
  return isHalf ? [day, `${clock}${half}`, ...words.slice(3)] : words;
}

/** When the next one is due, strictly after `afterMs`; both Unix ms. */
export function nextAt(schedule: Schedule, afterMs: number): number {
  return nextMoment(schedule, schedule.zone, afterMs);
}

/** On the day that may be meant, in the morning unless it is said when. */
function instead(day = 'mon', clock = '09:00', more: readonly string[]): Instead | undefined {
  const weekday =
    parseWeekday(day.toLowerCase().replace(/s$/, '')) === undefined ? 'mon' : day.slice(0, 3).toLowerCase();
  return parseTimeOfDay(clock)
    ? oneOf(['weekly', weekday, clock, ...more], ['weekly', inWords('Day and time', 'fri 16:00')])
    : undefined;
}

function no(why: Phrase, meant?: Instead): Refusal {
  return new Refusal('bad-schedule', meant ? say`${why}.` : say`${why}. Example: ${EXAMPLE}.`, meant);
}
