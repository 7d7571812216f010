import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { key, namesIn } from '../redis/key.ts';
import type { Runner } from './runner.ts';

/** Prefix that BullMQ puts before its own keys. */
export const QUEUE_PREFIX = key('queue');

/**
 * All jobs of all accounts share one queue: each further one would ask Redis for work, and for lost jobs, as often again. An alert
 * waits only where as many jobs of its account as run at once wait for Slack or for the hosting service.
 */
export const QUEUE = 'jobs';

/** The queue as an alarm clock: jobs carry an id only, and the same job is there at most once. */
export interface WorkQueue {
  /** Has a job run soon that was never there before. `group`: a channel, for whose jobs those of others don't wait. */
  wakeNew(name: string, id: string, group?: string): Promise<void>;
  /** Has the job `name` for `id` run soon, whether or not one waits already; once more where it runs now in this process. */
  wake(name: string, id: string, group?: string): Promise<void>;
  /** Has a job run that is overdue: puts it back where it is missing, ends its delay. Tells whether it was put back. */
  ensure(name: string, id: string): Promise<boolean>;
  /** Whether the job waits, or runs, by what Redis says. */
  isThere(name: string, id: string): Promise<boolean>;
}

/** The queue of a process, in which each account of a workspace has its own jobs. */
export interface SharedQueue {
  /** The jobs of one scope. */
  of(scope: string): WorkQueue;
  /** Takes out what waits of a scope, and of those in it; what runs ends by itself. */
  forget(scope: string): Promise<void>;
  /** BullMQ's own gauges, in Prometheus' text format. */
  metrics(): Promise<string>;
  close(): Promise<void>;
}

/** Nobody reads BullMQ's events, of which it keeps 10,000 unless it is set otherwise. Redis drops them by the hundred. */
const KEPT_EVENTS = 1;

/** What a job carries. */
export interface JobData {
  readonly id: string;
  /** Whose it is; nothing where there is one account. */
  readonly scope?: string;
  /** When it was left for the first time to a process that has its account, Unix ms of the host. */
  readonly leftAt?: number | undefined;
}

/** A job's id in the queue. BullMQ refuses a single ":" in it. */
function jobIdOf(scope: string, name: string, id: string): string {
  return `${beginOf(scope)}${name}-${id}`;
}

/** What the ids of a scope's jobs begin with. */
function beginOf(scope: string): string {
  return namesIn(scope)
    .map((name) => `${name}/`)
    .join('');
}

/** Where the queue is kept. `prefix`: put before its keys; the connection itself has none, which BullMQ does not take. */
export interface QueueRedis {
  readonly connection: Redis;
  readonly prefix: string;
}

/**
 * The jobs that run in this process now, each with what has it run once more: Redis would take such a wake for one of the job
 * that it has already. In another process that is so rare that it is left to the sweep.
 */
export type UnderWay = Map<string, { again?: () => Promise<void> }>;

export function createQueue({ connection, prefix }: QueueRedis, underWay: UnderWay = new Map()): SharedQueue {
  const { use, close } = openAgain(() => {
    const queue = new Queue<JobData>(QUEUE, {
      connection,
      prefix: `${prefix}${QUEUE_PREFIX}`,
      streams: { events: { maxLen: KEPT_EVENTS } },
      // The operation record is the truth, so a finished job leaves nothing that could block its successor.
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    // Faults of the connection are reported where it is made.
    queue.on('error', () => undefined);
    return queue;
  });
  return {
    of: (scope) => queueOf(scope, use, underWay),
    forget: (scope) =>
      use(async (queue) => {
        const jobs = await queue.getJobs(['waiting', 'delayed', 'prioritized']);
        const own = jobs.filter(({ id = '' }) => id.startsWith(beginOf(scope)));
        // One that has begun meanwhile can't be taken out.
        await Promise.all(own.map((job) => job.remove().catch(() => undefined)));
      }),
    metrics: () =>
      use(async (queue) => {
        const names = namesIn(prefix).join('/');
        const text = await queue.exportPrometheusMetrics(names === '' ? {} : { scope: names });
        // A name that ends so is kept for histograms.
        return `${text.replaceAll('bullmq_job_count', 'bullmq_jobs')}\n`;
      }),
    close,
  };
}

type Use = ReturnType<typeof openAgain<Queue<JobData>>>['use'];

function queueOf(scope: string, use: Use, underWay: UnderWay): WorkQueue {
  const data = scope === '' ? {} : { scope };
  const add = (queue: Queue<JobData>, job: string, id: string): Promise<Job> =>
    queue.add(job, { id, ...data }, { jobId: jobIdOf(scope, job, id) });
  return {
    wakeNew: async (name, id) => {
      await use((queue) => add(queue, name, id));
    },
    wake: async (name, id) => {
      const wake = (): Promise<void> =>
        use(async (queue) => {
          const job = await add(queue, name, id);
          // Mostly it waits or runs already.
          await job.promote().catch(() => undefined);
        });
      const here = underWay.get(jobIdOf(scope, name, id));
      if (here) here.again = wake;
      else await wake();
    },
    ensure: (name, id) =>
      use(async (queue) => {
        const job = await queue.getJob(jobIdOf(scope, name, id));
        const state = job === undefined ? 'missing' : await job.getState();
        if (state === 'completed' || state === 'failed' || state === 'unknown') {
          await job?.remove().catch(() => undefined);
        } else if (state === 'delayed') {
          // A delay counts by the clock of the host that set it; the process that asks knows that it is due.
          await job?.promote().catch(() => undefined);
          return false;
        } else if (state !== 'missing') return false;
        await add(queue, name, id);
        return true;
      }),
    isThere: (name, id) => use(async (queue) => (await queue.getJob(jobIdOf(scope, name, id))) !== undefined),
  };
}

/**
 * Something of BullMQ that asks Redis for its version first, and gives a fault of that to everybody for good. It is opened
 * again for the next who asks.
 */
function openAgain<Opened extends Pick<Queue, 'waitUntilReady' | 'close'>>(
  open: () => Opened,
): { use<T>(work: (opened: Opened) => Promise<T>): Promise<T>; close(): Promise<void> } {
  let current = open();
  return {
    use: async (work) => {
      const opened = current;
      try {
        await opened.waitUntilReady();
      } catch (error) {
        if (current === opened) current = open();
        opened.close().catch(() => undefined);
        throw error;
      }
      return work(opened);
    },
    close: () => current.close(),
  };
}

/** A queue whose jobs run in this process where `runner` takes them, and wait in `remote` for another where it doesn't. */
export function createLocalFirst(remote: WorkQueue, runner: Runner): WorkQueue {
  const localFirst =
    (other: WorkQueue['wake']): WorkQueue['wake'] =>
    async (name, id, group) => {
      if (runner.takes(name)) runner.wake(name, id, { group });
      else await other(name, id);
    };
  return {
    wakeNew: localFirst(remote.wakeNew),
    wake: localFirst(remote.wake),
    ensure: async (name, id) => {
      if (!runner.takes(name)) return remote.ensure(name, id);
      if (runner.holds(name, id)) return false;
      runner.wake(name, id, { isTakenOver: true });
      return true;
    },
    isThere: async (name, id) => (runner.takes(name) ? runner.holds(name, id) : remote.isThere(name, id)),
  };
}
