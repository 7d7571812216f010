import type { Holidays } from '../policy/holidays-section.ts';
import { SCHEDULE_JOB } from '../operations/operations.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import { asItIsPressed, asItRuns } from './holidays.ts';
import type { Schedule } from './schedule-record.ts';
import type { ScheduleStore } from './schedule-store.ts';

/** The only door to schedules: what is changed here is woken. */
export type Schedules = Pick<ScheduleStore, 'create' | 'find' | 'change' | 'moving' | 'list'>;

/** What it gives is as it runs by the lists of holidays at that moment. */
export function createSchedules({
  scheduleStore,
  queue,
  holidays,
}: {
  readonly scheduleStore: ScheduleStore;
  readonly queue: WorkQueue;
  readonly holidays: () => Holidays;
}): Schedules {
  const seen = (schedule: Schedule): Schedule => asItRuns(schedule, holidays());
  // What could not be woken is found by the sweep.
  const wake = (id: string): Promise<void> => queue.wake(SCHEDULE_JOB, id).catch(() => undefined);
  return {
    create: async (schedule, also) => {
      const result = await scheduleStore.create(schedule, also);
      if (result === 'created' || result === 'there') await wake(schedule.id);
      return result;
    },
    find: async (id) => {
      const found = await scheduleStore.find(id);
      return found && seen(found);
    },
    list: async () => (await scheduleStore.list()).map(seen),
    moving: scheduleStore.moving,
    change: async (id, step, also) => {
      const { says } = also ?? {};
      const after = await scheduleStore.change(id, (one) => step(asItIsPressed(one, holidays())), {
        ...also,
        ...(says && { says: (now, before) => says(seen(now), before) }),
      });
      if (after) await wake(id);
      return after && seen(after);
    },
  };
}
