import { key } from '../../platform/redis/key.ts';

export const scheduleKeys = {
  /** Hash of one schedule: version and record. */
  schedule: (scheduleId: string): string => key('schedule', scheduleId),
  /** Sorted set: schedule id by the time at which it is to be looked at. */
  open: key('schedules', 'open'),
} as const;
