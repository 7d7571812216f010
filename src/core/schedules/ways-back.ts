import { Refusal } from '../refusal.ts';
import { momentOfEnd, type ToTurn, type WaysBack } from '../operations/way-back.ts';
import type { Commit } from '../records/commit.ts';
import { idOf } from '../../platform/id.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { say, time } from '../../platform/slack/phrase.ts';
import { clockAt } from '../../platform/time/zoned-time.ts';
import { newSchedule } from './schedule.ts';
import { type Schedule, shownOf, wayBackOf } from './schedule-record.ts';
import type { ScheduleStore } from './schedule-store.ts';
import { SCHEDULE_JOB } from '../operations/operations.ts';

/** Ways back as schedules that run once. `clock`: of the calendar. */
export function createWaysBack({
  scheduleStore,
  queue,
  clock,
}: {
  readonly scheduleStore: Pick<ScheduleStore, 'writing'>;
  readonly queue: WorkQueue;
  readonly clock: Pick<RedisClock, 'now'>;
}): WaysBack {
  /** When it is turned around, and now. Throws a Refusal where that has passed. */
  const whenBack = ({ end }: Pick<ToTurn, 'end'>): readonly [number, number] => {
    const now = clock.now();
    const at = momentOfEnd(end, now);
    if (at !== undefined) return [at, now];
    throw new Refusal(
      'too-late',
      say`${time(end.until ?? now)} has passed by now, so nothing was done. Ask again.`,
    );
  };
  const written = (schedule: Schedule): Commit<'full'> => ({
    ...scheduleStore.writing(schedule),
    wake: () => queue.wake(SCHEDULE_JOB, schedule.id),
  });
  return {
    plan: (wanted) => {
      const { operationId, instance } = wanted;
      const [at, now] = whenBack(wanted);
      // An operation is turned around once.
      const id = idOf(`way back ${operationId}`);
      const schedule = turning(scheduleAt({ ...wanted, id, instances: [instance] }, at, now), operationId);
      const wayBack = wayBackOf(schedule);
      if (!wayBack) throw new Error('planning a way back: its schedule turns nothing around');
      return {
        wayBack,
        also: written(schedule),
      };
    },
    planSeveral: (wanted) => {
      const [at, now] = whenBack(wanted);
      const id = idOf(`way back of several ${wanted.batchId}`);
      return { at, also: written(scheduleAt({ ...wanted, id }, at, now)) };
    },
  };
}

function turning(schedule: Schedule, operationId: string): Schedule {
  const turns = { operationId, shown: '' };
  return { ...schedule, turns: { operationId, shown: shownOf({ ...schedule, turns }) } };
}

/** The schedule that does it at `at`, both Unix ms. */
function scheduleAt(
  {
    id,
    verb,
    end,
    actor,
    place,
    instances,
  }: Pick<ToTurn, 'verb' | 'end' | 'actor' | 'place'> & {
    readonly id: string;
    readonly instances: readonly ToTurn['instance'][];
  },
  at: number,
  now: number,
): Schedule {
  const { zone } = end;
  const shows = clockAt(at, zone);
  return newSchedule(
    {
      id,
      owner: actor,
      channelId: place.channelId,
      target: { instances: instances.map((one) => ({ ...one })) },
      when: {
        kind: 'once',
        zone,
        verb,
        date: shows.toPlainDate().toString(),
        hour: shows.hour,
        minute: shows.minute,
        at,
      },
    },
    now,
  );
}
