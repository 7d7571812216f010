import type { WorkQueue } from '../../../platform/queue/queue.ts';
import type { RedisClock } from '../../../platform/redis/clock.ts';
import type { Sweep } from '../../../core/sweep.ts';
import type { Timings } from '../../../core/timings.ts';
import type { AlarmStore } from './alarm-store.ts';
import { CHECK_JOB } from './check.ts';
import { ALARM_ID, TELL_JOB } from './tell.ts';
import { tellings, type Words } from './telling.ts';

/** How many looks may fail to come before one is made all the same. */
const MAX_MISSED = 3;
/** How often the schedule of looks is set again, in case Redis lost it. */
const SCHEDULE_EVERY_MS = 60_000;

/**
 * Keeps the alarm going whatever the queue forgets: the schedule is set again, a look that stayed away is made, a message
 * that is overdue is sent.
 */
export function createAlarmSweep(deps: {
  store: AlarmStore;
  queue: WorkQueue;
  words: Words;
  clock: RedisClock;
  timings: Timings;
}): Sweep {
  const { store, queue, words, clock, timings } = deps;
  let scheduledAt = Number.NEGATIVE_INFINITY;
  const run = async (): Promise<void> => {
    const isWanted = Number.isFinite(timings.billingCheckEveryMs);
    if (isWanted && performance.now() - scheduledAt >= SCHEDULE_EVERY_MS) {
      await queue.schedule(CHECK_JOB, ALARM_ID, timings.billingCheckEveryMs);
      scheduledAt = performance.now();
    }
    const alarm = await store.get();
    const now = clock.now();
    const [next] = tellings(alarm, words, timings);
    if (next && next.dueAt < now - timings.sweepEveryMs) await queue.ensure(TELL_JOB, ALARM_ID);
    const isMissed = now - alarm.checkedAt > MAX_MISSED * timings.billingCheckEveryMs;
    if (alarm.checkedAt > 0 && isMissed) await queue.ensure(CHECK_JOB, 'missed');
  };
  // It sets the schedule, too, which no key says.
  return { keys: [], run };
}
