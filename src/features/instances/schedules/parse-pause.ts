import { Temporal } from 'temporal-polyfill';
import { nextMoment, parseTimeOfDay, parseWeekday } from '../../../platform/time/clock-words.ts';
import { DAY_MS, parseDuration } from '../../../platform/time/duration.ts';
import { momentOf } from '../../../platform/time/zoned-time.ts';

/** What can be typed, as the field's hint says it. */
export const PAUSE_EXAMPLES = '3d, 2w, 18:00, mon 08:00, 2026-12-24 or 2026-12-24 18:00';
/** Nothing is paused for longer. */
const MAX_DAYS = 365;

/** `3d`, `18:00`, `mon 08:00`, `2026-12-24 18:00` after `now`, both Unix ms, by the clock in `zone`; undefined for anything else. */
export function parsePause(typed: string, zone: string, now: number): number | undefined {
  const [first = '', second, ...more] = typed.trim().split(/\s+/);
  if (more.length > 0) return undefined;
  const until = second === undefined ? parseOne(first, zone, now) : parseTwo(first, second, zone, now);
  return until !== undefined && until > now && until <= now + MAX_DAYS * DAY_MS ? until : undefined;
}

function parseOne(word: string, zone: string, now: number): number | undefined {
  const forMs = parseDuration(word.toLowerCase(), ['h', 'd', 'w']);
  if (forMs !== undefined) return now + forMs;
  const time = parseTimeOfDay(word);
  if (time) return nextMoment(time, zone, now);
  const weekday = parseWeekday(word);
  const midnight = { hour: 0, minute: 0 };
  return weekday === undefined
    ? onDay(word, midnight, zone)
    : nextMoment({ ...midnight, weekday }, zone, now);
}

function parseTwo(day: string, clock: string, zone: string, now: number): number | undefined {
  const time = parseTimeOfDay(clock);
  if (!time) return undefined;
  const weekday = parseWeekday(day);
  return weekday === undefined ? onDay(day, time, zone) : nextMoment({ ...time, weekday }, zone, now);
}

function onDay(
  date: string,
  time: { readonly hour: number; readonly minute: number },
  zone: string,
): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  try {
    return momentOf(Temporal.PlainDate.from(date).toPlainDateTime(time), zone).at;
  } catch {
    // There is no such day.
    return undefined;
  }
}
