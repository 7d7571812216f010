import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { ScheduleStore } from './schedule-store.ts';

export const SCHEDULE_JOB = 'schedule';

/** The only door to schedules: what is changed here is woken. */
export type Schedules = Pick<ScheduleStore, 'create' | 'find' | 'change' | 'moving' | 'list'>;

export function createSchedules({
  scheduleStore,
  queue,
}: {
  readonly scheduleStore: ScheduleStore;
  readonly queue: WorkQueue;
}): Schedules {
  // What could not be woken is found by the sweep.
  const wake = (id: string): Promise<void> => queue.wake(SCHEDULE_JOB, id).catch(() => undefined);
  return {
    create: async (schedule, also) => {
      const result = await scheduleStore.create(schedule, also);
      if (result === 'created' || result === 'there') await wake(schedule.id);
      return result;
    },
    find: scheduleStore.find,
    list: scheduleStore.list,
    moving: scheduleStore.moving,
    change: async (id, step, also) => {
      const after = await scheduleStore.change(id, step, also);
      if (after) await wake(id);
      return after;
    },
  };
}
