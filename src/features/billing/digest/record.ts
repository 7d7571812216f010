import { z } from 'zod';
import type { OneRecord } from '../../../core/records/one-record.ts';
import { timeInZone } from '../../../core/schedules/when.ts';
import { key } from '../../../platform/redis/key.ts';
import { type BulletinKind, type BulletinRecord, BY_SCHEDULE, bulletinSchema } from '../bulletin/record.ts';
import { inWords, oneOf } from '../../../core/ask/mend-words.ts';
import type { Instead } from '../../../core/refusal.ts';
import { noSchedule, readTime, readZone, wholeTimes } from '../../../core/schedules/read-words.ts';
import { say } from '../../../platform/slack/phrase.ts';
import { parseTimeOfDay, parseWeekday } from '../../../platform/time/clock-words.ts';

/** When a digest is sent, as it is kept in Redis. `weekday` counts from Monday, which is 1. */
export const scheduleSchema = z.object({
  weekday: z.int().min(1).max(7),
  ...timeInZone,
  /** Version 1.1 reads no digest without it, as during an update: a digest comes each week. */
  onlyChanges: z.literal(false).catch(false),
});
export type Schedule = Readonly<z.infer<typeof scheduleSchema>>;

type DigestRecord = BulletinRecord<Schedule>;
export type DigestStore = OneRecord<DigestRecord>;

/** The digest that is sent again and again. */
export const DIGEST: BulletinKind<Schedule> = {
  ...BY_SCHEDULE,
  job: 'billing.digest',
  id: 'digest',
  key: key('digest'),
  schema: bulletinSchema(scheduleSchema),
};

const no = noSchedule('/billing digest weekly mon 09:00');

/**
 * The schedule in the words after `billing digest`: `weekly mon 09:00 [zone]`; without a zone in `usualZone`.
 * Throws a Refusal with an example for anything else.
 */
export function parseSchedule(words: readonly string[], usualZone: string): Schedule {
  const [day, clock, ...more] = wholeTimes(words[0]?.toLowerCase() === 'weekly' ? words.slice(1) : words);
  if (day === undefined || clock === undefined)
    throw no(say`A digest needs a day of the week and a time`, instead(day, undefined, []));
  const weekday = parseWeekday(day);
  if (weekday === undefined)
    throw no(say`"${day}" isn't a day of the week that I know`, instead(day, clock, more));
  const short = day.slice(0, 3).toLowerCase();
  const time = readTime(clock, no, oneOf(['weekly', short, inWords('Time', '09:00 or 9:30pm'), ...more]));
  if (more.slice(-2).join(' ').toLowerCase() === 'only changes')
    throw no(
      say`A digest comes each week, whether or not something changed`,
      oneOf(['weekly', short, clock, ...more.slice(0, -2)]),
    );
  const [typedZone = usualZone, ...left] = more;
  const zone = readZone(typedZone, no);
  if (left.length > 0) throw no(say`I can't read "${left.join(' ')}" after the time zone`);
  return { weekday, ...time, zone, onlyChanges: false };
}

/** On the day that may be meant, in the morning unless it is said when. */
function instead(day = 'mon', clock = '09:00', more: readonly string[]): Instead | undefined {
  const weekday =
    parseWeekday(day.toLowerCase().replace(/s$/, '')) === undefined ? 'mon' : day.slice(0, 3).toLowerCase();
  return parseTimeOfDay(clock)
    ? oneOf(['weekly', weekday, clock, ...more], ['weekly', inWords('Day and time', 'fri 16:00')])
    : undefined;
}
