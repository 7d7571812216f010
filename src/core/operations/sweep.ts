import type { Log } from '../../platform/log/log.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { Sweep } from '../sweep.ts';
import type { Timings } from '../timings.ts';
import type { OperationStore } from './operation-store.ts';
import { OPERATION_JOB } from './operations.ts';

/**
 * Puts back the job of every operation that is overdue. It doesn't care how the job was lost: a crash between
 * two writes, a failed wake, a Redis that forgot.
 */
export function createOperationSweep(deps: {
  store: OperationStore;
  queue: WorkQueue;
  wakeWatch: () => void;
  clock: RedisClock;
  timings: Timings;
  log: Log;
}): Sweep {
  const { store, queue, wakeWatch, clock, timings, log } = deps;
  const run = async (): Promise<void> => {
    const overdue = clock.now() - timings.sweepEveryMs;
    const ids = await store.listDue(overdue);
    for (const id of ids) {
      if (await queue.ensure(OPERATION_JOB, id))
        log.info({ operation: id }, 'sweep: put an operation back to work');
    }
    const nextLookAt = await store.nextLookAt();
    if (nextLookAt !== undefined && nextLookAt < overdue) wakeWatch();
  };
  // Without keys: while people work these are there, and all other sweeps would run for them.
  return { keys: [], run };
}
