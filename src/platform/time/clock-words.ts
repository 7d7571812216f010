import { clockAt, momentOf } from './zoned-time.ts';

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

/** A time of day. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

/** A day by its English name or its first letters, three at least: Monday is 1; undefined for anything else. */
export function parseWeekday(typed: string): number | undefined {
  const lower = typed.toLowerCase();
  const index = WEEKDAYS.findIndex((day) => day.toLowerCase().startsWith(lower));
  return index === -1 || lower.length < 3 ? undefined : index + 1;
}

/** `9`, `09:00`, `23:59`, `9am`, `9:30pm`; undefined for anything else. */
export function parseTimeOfDay(typed: string): TimeOfDay | undefined {
  const [, hour, minute = '0', half] = /^(\d{1,2})(?::(\d{2}))?([ap]m)?$/i.exec(typed) ?? [];
  const isHalf = half !== undefined;
  if (isHalf && !(Number(hour) >= 1 && Number(hour) <= 12)) return undefined;
  const from = isHalf ? (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hour);
  const time = { hour: from, minute: Number(minute) };
  return time.hour <= 23 && time.minute <= 59 ? time : undefined;
}

/** "09:00", as commands have a time of day. */
export function clockWords({ hour, minute }: TimeOfDay): string {
  return [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
}

/**
 * The next moment strictly after `afterMs` (both Unix ms) at which the clock in `zone` shows that time, on that weekday
 * or, without one, on any; where the clock skips the time, when it has skipped it.
 */
export function nextMoment(
  { weekday, hour, minute }: TimeOfDay & { readonly weekday?: number | undefined },
  zone: string,
  afterMs: number,
): number {
  const today = clockAt(afterMs, zone).toPlainDate();
  const daysAhead = weekday === undefined ? 0 : (weekday - today.dayOfWeek + 7) % 7;
  const momentIn = (days: number): number =>
    momentOf(today.add({ days }).toPlainDateTime({ hour, minute }), zone).at;
  const at = momentIn(daysAhead);
  return at > afterMs ? at : momentIn(daysAhead + (weekday === undefined ? 1 : 7));
}
