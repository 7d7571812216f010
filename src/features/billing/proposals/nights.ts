import { HOUR_MS } from '../../../platform/time/duration.ts';
import { clockAt } from '../../../platform/time/zoned-time.ts';
import { startOf } from '../ledger/day.ts';

/** When something would run: from this hour to that one, Monday to Friday. */
const FROM_HOUR = 8;
export const TO_HOUR = 20;
const FRIDAY = 5;
const HOURS = 24;

/** How a schedule is told that, as somebody types it. */
export const WORKING_HOURS = ['hours', '08:00-20:00', 'mon-fri'];

/** Whether a moment (Unix ms) is in the night or on the weekend there. Pure. */
export function isOff(at: number, zone: string): boolean {
  const { hour, dayOfWeek } = clockAt(at, zone);
  return dayOfWeek > FRIDAY || hour < FROM_HOUR || hour >= TO_HOUR;
}

/** The UTC hours of a UTC day that begin in the night or on the weekend there, as bits. Pure. */
export function offHours(day: string, zone: string): number {
  let bits = 0;
  for (let hour = 0; hour < HOURS; hour++) if (isOff(startOf(day) + hour * HOUR_MS, zone)) bits |= 1 << hour;
  return bits;
}
