import { DelayedError, type Job, Worker, type WorkerOptions } from 'bullmq';
import type { Log } from '../log/log.ts';
import { WAITS_FOR_A_JOB_S } from '../redis/connection.ts';
import { type JobData, QUEUE, QUEUE_PREFIX, type QueueRedis, type UnderWay } from './queue.ts';
import { atMost } from '../time/wait.ts';
import type { RunJob } from './run-job.ts';
import { createSlots } from './runner.ts';

/** A job's lock. */
export interface WorkerTimings {
  readonly jobLockMs: number;
}

/** How often lost jobs are sought (ms): a crash is noticed after at most a lock and twice this. Pure. */
export function stalledEveryMs({ jobLockMs }: WorkerTimings): number {
  return Math.round(SOUGHT_EVERY_LOCKS * jobLockMs);
}

export interface JobWorker {
  /** Takes jobs from now on. Throws into the process where that ends by itself. */
  start(): void;
  isRunning(): boolean;
  /** Has the jobs of a scope run here, by `run`. */
  serve(scope: string, run: RunJob): ServedJobs;
  /** Takes no new job and waits for the running ones, at most `limitMs`. */
  drain(limitMs: number): Promise<void>;
}

/** The jobs of one scope in this process. */
interface ServedJobs {
  /** Takes no new one of them and waits for the running ones, at most `limitMs`. */
  drain(limitMs: number): Promise<void>;
}

/** So many of one account run at once … */
const CONCURRENCY = 64;
/** … and where there are others, so many are taken of all: those that wait for their turn here keep none of another account waiting. */
const TAKEN = 10_000;
/** Lost jobs are sought a little less often than a lock lasts: it has run out in between, or was renewed. */
const SOUGHT_EVERY_LOCKS = 7 / 6;
/** BullMQ waits for 15 s by itself after a fault of the connection. */
const ASKS_AGAIN_AFTER_MS = 1_000;
/** A job of an account that this process doesn't have is left to one that has it, for so long … */
const LEFT_FOR_MS = 60_000;
/** … and comes again after this. Then it is dropped: where somebody has its account later, the sweep puts it back. */
const LEFT_MS = 1_000;

/** BullMQ waits for up to 10 s where the next job is put off, which the connection takes for a Redis that has fallen silent. */
class ShortWaitingWorker extends Worker<JobData> {
  protected override getBlockTimeout(until: number): number {
    return Math.min(super.getBlockTimeout(until), WAITS_FOR_A_JOB_S);
  }
}

interface Served {
  readonly run: RunJob;
  readonly stopping: AbortController;
  readonly running: Set<Promise<void>>;
}

/** Runs the jobs that BullMQ keeps, each in one process at a time. */
export function createWorker(
  { connection, prefix }: QueueRedis,
  timings: WorkerTimings,
  log: Log,
  underWay: UnderWay = new Map(),
): JobWorker {
  const served = new Map<string, Served>();
  const stopping = new AbortController();
  const work = createWork(underWay);
  // BullMQ gives a signal to who asks for three things, which those with a default are not.
  const take = async (job: Job<JobData>, given?: string, lost?: AbortSignal): Promise<never> => {
    const token = given ?? '';
    const own = served.get(job.data.scope ?? '');
    if (own) {
      const one = work(own, job, token, AbortSignal.any([own.stopping.signal, ...(lost ? [lost] : [])]));
      own.running.add(one);
      await one.finally(() => own.running.delete(one));
    } else if (stopping.signal.aborted) await job.moveToDelayed(Date.now(), token);
    else await leaveToOthers(job, token);
    // To BullMQ: the job has been moved.
    throw new DelayedError();
  };
  let worker: ShortWaitingWorker | undefined;
  const adapt = (): void => {
    if (worker) worker.concurrency = served.size > 1 ? TAKEN : CONCURRENCY;
  };
  return {
    start: () => {
      const begun = new ShortWaitingWorker(QUEUE, take, optionsOf({ connection, prefix }, timings));
      worker = begun;
      adapt();
      // BullMQ does not stop a job that lost its lock by itself, and another worker has it by then.
      begun.on('lockRenewalFailed', (ids: string[]) => ids.forEach((id) => begun.cancelJob(id)));
      begun.on('error', (error) => log.limited('queue worker', error));
      // Nobody catches it: without its loop a process is of no use, and it ends with a line.
      void runUntil(stopping.signal, begun);
    },
    isRunning: () => worker?.isRunning() ?? false,
    serve: (scope, run) => {
      const own = { run, stopping: new AbortController(), running: new Set<Promise<void>>() };
      served.set(scope, own);
      adapt();
      return {
        drain: async (limitMs) => {
          own.stopping.abort();
          if (served.get(scope) === own) served.delete(scope);
          adapt();
          await atMost(limitMs, Promise.allSettled(own.running));
        },
      };
    },
    // What has not ended by then is taken up by another process; closing again would only wait for the first.
    drain: async (limitMs) => {
      stopping.abort();
      for (const own of served.values()) own.stopping.abort();
      if (worker) await atMost(limitMs, worker.close());
    },
  };
}

/** Runs a job of a scope once it is its turn among those of that scope, and moves it to where it goes then. */
function createWork(
  underWay: UnderWay,
): (own: Served, job: Job<JobData>, token: string, signal: AbortSignal) => Promise<void> {
  const slots = createSlots(CONCURRENCY);
  return async (own, job, token, signal) => {
    const { id = '', data } = job;
    const leave = await slots.enter(data.scope ?? '');
    const here: { again?: () => Promise<void> } = {};
    underWay.set(id, here);
    try {
      if (data.leftAt !== undefined) await job.updateData({ ...data, leftAt: undefined });
      let delayMs: number | undefined = 0;
      while (!signal.aborted) {
        delete here.again;
        delayMs = await own.run(job.name, data.id, signal);
        if (!here.again) break;
      }
      // What the end of this process may have cut short goes on in another.
      if (own.stopping.signal.aborted) delayMs = 0;
      if (delayMs === undefined) await job.moveToCompleted(undefined, token, false);
      else await job.moveToDelayed(Date.now() + delayMs, token);
    } finally {
      leave();
      if (underWay.get(id) === here) underWay.delete(id);
      await here.again?.().catch(() => undefined);
    }
  };
}

/** Leaves a job to a process that has its account; not for ever. */
async function leaveToOthers(job: Job<JobData>, token: string): Promise<void> {
  const now = Date.now();
  const { leftAt = now } = job.data;
  if (now - leftAt > LEFT_FOR_MS) return void (await job.moveToCompleted(undefined, token, false));
  if (leftAt === now) await job.updateData({ ...job.data, leftAt });
  await job.moveToDelayed(now + LEFT_MS, token);
}

/** Throws where the loop of a worker ends before it is to stop. */
async function runUntil(stopping: AbortSignal, worker: Worker): Promise<void> {
  try {
    await worker.run();
  } catch (error) {
    if (!stopping.aborted) throw error;
  }
  if (!stopping.aborted) throw new Error('the queue worker ended by itself');
}

function optionsOf({ connection, prefix }: QueueRedis, timings: WorkerTimings): WorkerOptions {
  return {
    connection,
    prefix: `${prefix}${QUEUE_PREFIX}`,
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
  };
}
