import type { WorkQueue } from '../platform/queue/queue.ts';
import type { RedisClock } from '../platform/redis/clock.ts';
import type { Timings } from './timings.ts';

/** What puts back what was lost, done again and again by one process at a time. */
export interface Sweep {
  /** Keys in Redis; where none of them is there, there is nothing to put back. Without any it is always done. */
  readonly keys: readonly string[];
  run(): Promise<void>;
}

/** What a sweep that puts jobs back works with. */
export interface SweepDeps {
  readonly queue: Pick<WorkQueue, 'ensure'>;
  readonly clock: Pick<RedisClock, 'now'>;
  readonly timings: Pick<Timings, 'sweepEveryMs'>;
}

/** Puts the job of every record back that is overdue, however it was lost. `index`: the key that `listDue` reads. */
export function sweepOf(
  job: string,
  index: string,
  { listDue }: { listDue(before: number): Promise<readonly string[]> },
  { queue, clock, timings }: SweepDeps,
): Sweep {
  return {
    keys: [index],
    run: async () => {
      for (const id of await listDue(clock.now() - timings.sweepEveryMs)) await queue.ensure(job, id);
    },
  };
}
