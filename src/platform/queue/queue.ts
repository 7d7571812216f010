import { type Job, Queue } from 'bullmq';
import type { RedisConnection } from '../redis/connection.ts';
import { key, namesIn } from '../redis/key.ts';
import type { Runner } from './runner.ts';

/** Prefix that BullMQ puts before its own keys. */
export const QUEUE_PREFIX = key('queue');

/**
 * All jobs share one queue: each further one would ask Redis for work, and for lost jobs, as often again. An alert waits only
 * where as many jobs as run at once wait for Slack or for the hosting service.
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
  /** BullMQ's own gauges, in Prometheus' text format. */
  metrics(): Promise<string>;
  close(): Promise<void>;
}

/** Nobody reads BullMQ's events, of which it keeps 10,000 unless it is set otherwise. Redis drops them by the hundred. */
const KEPT_EVENTS = 1;

/** A job's id in the queue. BullMQ refuses a single ":" in it. */
function jobIdOf(name: string, id: string): string {
  return `${name}-${id}`;
}

/** Where the queue is kept. `scope`: put before its keys; the connection itself has no prefix, which BullMQ does not take. */
export interface QueueRedis {
  readonly connection: RedisConnection;
  readonly scope: string;
}

/**
 * The jobs that run in this process now, each with what has it run once more: Redis would take such a wake for one of the job
 * that it has already. In another process that is so rare that it is left to the sweep.
 */
export type UnderWay = Map<string, { again?: () => Promise<void> }>;

export function createQueue({ connection, scope }: QueueRedis, underWay: UnderWay = new Map()): WorkQueue {
  const { use, close } = openAgain(() => {
    const queue = new Queue<{ id: string }>(QUEUE, {
      connection,
      prefix: `${scope}${QUEUE_PREFIX}`,
      streams: { events: { maxLen: KEPT_EVENTS } },
      // The operation record is the truth, so a finished job leaves nothing that could block its successor.
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    // Faults of the connection are reported where it is made.
    queue.on('error', () => undefined);
    return queue;
  });
  const names = namesIn(scope).join('/');
  const add = (queue: Queue<{ id: string }>, job: string, id: string): Promise<Job> =>
    queue.add(job, { id }, { jobId: jobIdOf(job, id) });
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
      const here = underWay.get(jobIdOf(name, id));
      if (here) here.again = wake;
      else await wake();
    },
    ensure: (name, id) =>
      use(async (queue) => {
        const job = await queue.getJob(jobIdOf(name, id));
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
    metrics: () =>
      use(async (queue) => {
        // Else two scopes would give the same series twice, which Prometheus refuses.
        const text = await queue.exportPrometheusMetrics(names === '' ? {} : { scope: names });
        // A name that ends so is kept for histograms.
        return text.replaceAll('bullmq_job_count', 'bullmq_jobs');
      }),
    close,
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
    ...remote,
    wakeNew: localFirst(remote.wakeNew),
    wake: localFirst(remote.wake),
    ensure: async (name, id) => {
      if (!runner.takes(name)) return remote.ensure(name, id);
      if (runner.holds(name, id)) return false;
      runner.wake(name, id, { isTakenOver: true });
      return true;
    },
  };
}
