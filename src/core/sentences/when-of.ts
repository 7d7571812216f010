import { Temporal } from 'temporal-polyfill';
import type { TimeOfDay } from '../../platform/time/clock-words.ts';
import { clockAt, momentOf } from '../../platform/time/zoned-time.ts';
import { hoursSince, type Moment } from './times.ts';
import { dayAfter, dayAfterDay, dayOfWeek, weekdayOf } from './weekdays.ts';

/** When something is to be done, as far as it is said. */
export interface When {
  readonly time: TimeOfDay;
  /** The end of a span of the day. */
  readonly to?: TimeOfDay;
  /** As schedules have them: `mon-fri`. */
  readonly days?: string;
  /** A single day: `2026-11-18`. */
  readonly date?: string;
  /** A day of the week: `mon`. */
  readonly weekday?: string;
  /** The day on which the clock next shows that time. */
  readonly nextDate: string;
  /** It is an end, and no beginning: "until 8pm". */
  readonly isEnd: boolean;
  /** Days that are left out, as words of a command: `except 2026-12-24..2027-01-01`. */
  readonly except?: readonly string[];
  /** What would end then hasn't begun: "for the weekend", said on a Tuesday. */
  readonly isAhead?: boolean;
  /** The last day of what comes again, as commands have it. */
  readonly until?: string;
  /** Its words say different times, or no certain one: "monday and tuesday", "tonight at noon", "by 18:00". */
  readonly isTorn?: boolean;
  /** Its day of the week is today's and its hour still ahead: once, that is today or in a week. */
  readonly mayBeToday?: boolean;
  /** It is one such day, and not each: "next monday". */
  readonly isOne?: boolean;
  /** The half of the day that was said with it, or `bare` where "8" may be of either. */
  readonly half?: Half;
  /** How many hours ago the clock last showed that time, rounded up. */
  readonly hoursSince: number;
}

export type Half = 'am' | 'pm' | 'bare';

/** What was found of a moment, the words as they were read. */
export interface Found {
  time?: TimeOfDay;
  to?: TimeOfDay;
  days?: string;
  date?: string | undefined;
  weekday?: string;
  isLateInDay?: boolean;
  isNight?: boolean;
  isMorning?: boolean;
  isAfternoon?: boolean;
  half?: Half | undefined;
  /** Its time is a bound, and the other isn't said: "by 18:00", "from 9"; or it may be a length: "in 1:30". */
  isOpen?: boolean;
  isMidnight?: boolean;
  /** "Next friday", which on a Wednesday may be of this week as well. */
  isNext?: boolean;
  isOne?: boolean;
  isEveryDay?: boolean;
  until?: string;
  isTorn?: boolean;
}

/** Before this hour a night is not over. */
const MORNING_HOUR = 6;

export const NOON_HOUR = 12;
/** Before this hour it is no evening and no night. */
const EVENING_HOUR = 16;

/** At this time of a day that is said without one, people are back at work. */
export const BACK_AT_WORK: TimeOfDay = { hour: 8, minute: 0 };
/** When an evening is over of which nothing more is said. */
export const LATE: TimeOfDay = { hour: 20, minute: 0 };

/** The moment that the words mean; undefined without a time of day. */
export function whenOf(found: Found, isEnd: boolean, { at: now, zone }: Moment): When | undefined {
  const {
    time: typed,
    to,
    date: named,
    days,
    weekday,
    until,
    isLateInDay,
    isNight,
    isAfternoon,
    half,
  } = found;
  const today = clockAt(now, zone).toPlainDate().toString();
  // "Until Friday" ends when people are back at work.
  const isDay = isEnd && isLateInDay !== true && named !== undefined && named > today;
  const isTonight = isEnd && isLateInDay === true && named === today && isAheadToday(LATE, now, zone);
  const read = typed ?? (isDay ? BACK_AT_WORK : isTonight ? LATE : undefined);
  if (!read) return undefined;
  const isEvening = isLateInDay === true && isAfternoon !== true;
  const isMidnight = isEvening && (read.hour === 0 || (read.hour === NOON_HOUR && half !== 'pm'));
  // "Tonight at 3" is before the next morning, and "tonight at 12" is midnight.
  const isBeforeDawn = isMidnight || (isNight === true && read.hour < MORNING_HOUR);
  const isLate = isLateInDay === true && !isBeforeDawn && read.hour < NOON_HOUR;
  const hour = isMidnight ? 0 : isLate ? read.hour + NOON_HOUR : read.hour;
  const time = { ...read, hour };
  const next = nextDate(time, now, zone);
  // After midnight the night is that which goes on.
  const nightly = named === today ? next : named && dayAfter(named);
  const date = isBeforeDawn ? nightly : named;
  const again = isBeforeDawn && days !== undefined ? days.replace(/[a-z]+/g, dayAfterDay) : days;
  const isElsewhen =
    !isBeforeDawn &&
    ((isLate && half === 'am') ||
      (found.isMorning === true && hour >= NOON_HOUR) ||
      (isEvening && hour < EVENING_HOUR));
  const isOver = date !== undefined && startOf(date, time, zone) <= now;
  const [day = 0, dayNow = 0] = [weekday, dayOfWeek(today)].map((one = '') => weekdayOf(one));
  const isOnce = weekday !== undefined && days === undefined;
  const mayBeToday = isOnce && found.isNext !== true && day === dayNow && isAheadToday(time, now, zone);
  const isTorn =
    // One time has no last day.
    (until !== undefined && days === undefined) ||
    found.isTorn === true ||
    found.isOpen === true ||
    // Midnight of a day is where it begins or ends.
    (found.isMidnight === true && !isEvening && (date ?? weekday) !== undefined) ||
    (found.isNext === true && isOnce && day > dayNow) ||
    isElsewhen ||
    isOver;
  return {
    time,
    ...(to && { to }),
    ...(again === undefined ? {} : { days: again }),
    ...(date === undefined ? {} : { date }),
    ...(weekday === undefined ? {} : { weekday }),
    ...(until === undefined ? {} : { until }),
    ...(isTorn ? { isTorn } : {}),
    ...(mayBeToday ? { mayBeToday } : {}),
    ...(found.isOne ? { isOne: true } : {}),
    ...(half === undefined
      ? {}
      : { half: isLateInDay === true ? 'pm' : found.isMorning === true ? 'am' : half }),
    nextDate: next,
    isEnd,
    hoursSince: hoursSince(time, now, zone),
  };
}

/** When it is that time of a day of the calendar; Unix ms. Pure. */
export function startOf(date: string, { hour, minute }: TimeOfDay, zone: string): number {
  return momentOf(Temporal.PlainDate.from(date).toPlainDateTime({ hour, minute }), zone).at;
}

/** Today, or tomorrow where that time is past. */
function nextDate(time: TimeOfDay, now: number, zone: string): string {
  const today = clockAt(now, zone).toPlainDate();
  return (isAheadToday(time, now, zone) ? today : today.add({ days: 1 })).toString();
}

function isAheadToday({ hour, minute }: TimeOfDay, now: number, zone: string): boolean {
  return momentOf(clockAt(now, zone).toPlainDate().toPlainDateTime({ hour, minute }), zone).at > now;
}
