import type { Log } from '../platform/log/log.ts';
import type { WorkQueue } from '../platform/queue/queue.ts';
import type { RedisClock } from '../platform/redis/clock.ts';
import type { Timings } from './timings.ts';

/** What puts back what was lost, done again and again by one process at a time. */
export interface Sweep {
  /** Keys in Redis; where none of them is there, there is nothing to put back. Without any it is always done. */
  readonly keys: readonly string[];
  run(): Promise<void>;
}

/** Records whose jobs a sweep puts back. */
export interface SweptKind {
  readonly job: string;
  /** The key that `listDue` reads. */
  readonly index: string;
  /** Ids whose job was due before then (Unix ms). */
  listDue(before: number): Promise<readonly string[]>;
  /** For how long (ms) a job is left to who has it; where nothing is said, until the next sweep. */
  readonly overdueMs?: number;
}

/** Puts the job of every record back that is overdue, however it was lost: a crash, a failed wake, a Redis that forgot. */
export function sweepOf(
  { job, index, listDue, overdueMs }: SweptKind,
  {
    queue,
    clock,
    timings,
    log,
  }: {
    readonly queue: Pick<WorkQueue, 'ensure'>;
    readonly clock: Pick<RedisClock, 'now'>;
    readonly timings: Pick<Timings, 'sweepEveryMs'>;
    readonly log: Pick<Log, 'info'>;
  },
): Sweep {
  return {
    keys: [index],
    run: async () => {
      for (const id of await listDue(clock.now() - (overdueMs ?? timings.sweepEveryMs)))
        if (await queue.ensure(job, id)) log.info({ job, id }, 'sweep: put a job back');
    },
  };
}
