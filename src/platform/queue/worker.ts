import { DelayedError, Worker } from 'bullmq';
import type { Log } from '../log/log.ts';
import { WAITS_FOR_A_JOB_S } from '../redis/connection.ts';
import { QUEUE, QUEUE_PREFIX, type QueueRedis, type UnderWay } from './queue.ts';
import { atMost } from '../time/at-most.ts';
import { createRunJob, type JobHandler } from './run-job.ts';

/** A job's lock, and the longest pause before a job that threw is tried again. */
export interface WorkerTimings {
  readonly jobLockMs: number;
  readonly longestBackOffMs: number;
}

/** How often lost jobs are sought (ms): a crash is noticed after at most a lock and twice this. Pure. */
export function stalledEveryMs({ jobLockMs }: Pick<WorkerTimings, 'jobLockMs'>): number {
  return Math.round(SOUGHT_EVERY_LOCKS * jobLockMs);
}

export interface JobWorker {
  isRunning(): boolean;
  /** Takes no new job and waits for the running ones, at most `limitMs`. */
  drain(limitMs: number): Promise<void>;
}

const CONCURRENCY = 64;
/** Lost jobs are sought a little less often than a lock lasts: it has run out in between, or was renewed. */
const SOUGHT_EVERY_LOCKS = 7 / 6;
/** BullMQ waits for 15 s by itself after a fault of the connection. */
const ASKS_AGAIN_AFTER_MS = 1_000;

/** BullMQ waits for up to 10 s where the next job is put off, which the connection takes for a Redis that has fallen silent. */
class ShortWaitingWorker extends Worker<{ id: string }> {
  protected override getBlockTimeout(until: number): number {
    return Math.min(super.getBlockTimeout(until), WAITS_FOR_A_JOB_S);
  }
}

/** Runs the jobs that BullMQ keeps, each in one process at a time. */
export function createWorker(
  { connection, scope }: QueueRedis,
  handlers: Readonly<Record<string, JobHandler>>,
  timings: WorkerTimings,
  log: Log,
  underWay: UnderWay = new Map(),
): JobWorker {
  const run = createRunJob(handlers, timings, log);
  const stopping = new AbortController();

  const worker = new ShortWaitingWorker(
    QUEUE,
    async (job, token = '', lost = new AbortController().signal) => {
      const signal = AbortSignal.any([lost, stopping.signal]);
      const { id = '' } = job;
      const here: { again?: () => Promise<void> } = {};
      underWay.set(id, here);
      try {
        let delayMs: number | undefined;
        do {
          delete here.again;
          delayMs = await run(job.name, job.data.id, signal);
        } while (here.again && !signal.aborted);
        // What the end of this process may have cut short goes on in another.
        if (stopping.signal.aborted) delayMs = 0;
        if (delayMs === undefined) await job.moveToCompleted(undefined, token, false);
        else await job.moveToDelayed(Date.now() + delayMs, token);
      } finally {
        if (underWay.get(id) === here) underWay.delete(id);
        await here.again?.().catch(() => undefined);
      }
      // To BullMQ: the job has been moved.
      throw new DelayedError();
    },
    {
      connection,
      prefix: `${scope}${QUEUE_PREFIX}`,
      autorun: false,
      concurrency: CONCURRENCY,
      drainDelay: WAITS_FOR_A_JOB_S,
      runRetryDelay: ASKS_AGAIN_AFTER_MS,
      // Nothing that matters hangs on the lock itself, so it may be short.
      lockDuration: timings.jobLockMs,
      stalledInterval: stalledEveryMs(timings),
      // A job that polls for long meets many crashes in its life, and BullMQ fails it
      // for good after so many.
      maxStalledCount: 1_000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  );
  // BullMQ does not stop a job that lost its lock by itself, and another worker has it by then.
  worker.on('lockRenewalFailed', (ids: string[]) => ids.forEach((id) => worker.cancelJob(id)));
  worker.on('error', (error) => log.limited('queue worker', error));
  const loop = async (): Promise<void> => {
    try {
      await worker.run();
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
    }
    if (!stopping.signal.aborted) throw new Error('the queue worker ended by itself');
  };
  // Nobody catches it: without its loop a process is of no use, and it ends with a line.
  void loop();

  return {
    isRunning: () => worker.isRunning(),
    // What has not ended by then is taken up by another process; closing again would only wait for the first.
    drain: async (limitMs) => {
      stopping.abort();
      await atMost(limitMs, worker.close());
    },
  };
}
