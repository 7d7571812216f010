import { key } from '../../platform/redis/key.ts';

export const scheduleKeys = {
  /** Hash of one schedule: version and record. */
  schedule: (scheduleId: string): string => key('schedule', scheduleId),
  /** Sorted set: schedule id by the time at which it is to be looked at. */
  open: key('schedules', 'open'),
  /** What one person was shown before a schedule is saved. */
  draft: (draftId: string): string => key('schedule-draft', draftId),
} as const;
