import type { Sweep } from '../../core/sweep.ts';
import type { Timings } from '../../core/timings.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { LOOK_ID, LOOK_JOB } from './look.ts';
import { TELL_WATCH_JOB } from './tell.ts';
import { isToTell } from './watch.ts';
import type { WatchStore } from './watch-store.ts';
import { watchKeys } from './keys.ts';

/** Keeps looks and messages going whatever the queue forgets. */
export function createWatchSweep({
  watches,
  queue,
  clock,
  timings,
}: {
  readonly watches: WatchStore;
  readonly queue: WorkQueue;
  readonly clock: Pick<RedisClock, 'now'>;
  readonly timings: Timings;
}): Sweep {
  const run = async (): Promise<void> => {
    const before = clock.now() - timings.sweepEveryMs;
    const due = await watches.listDue(before);
    if (due.length === 0) return;
    let isLookDue = false;
    for (const id of due) {
      const watch = await watches.find(id);
      if (!watch) continue;
      if (!watch.ended && watch.nextLookAt < before) isLookDue = true;
      if (watch.ended || watch.cards.some(isToTell)) await queue.ensure(TELL_WATCH_JOB, id);
    }
    if (isLookDue) await queue.ensure(LOOK_JOB, LOOK_ID);
  };
  return { keys: [watchKeys.open], run };
}
