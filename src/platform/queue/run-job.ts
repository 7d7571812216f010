import { BoundedMap } from '../bounded-map.ts';
import type { Log } from '../log/log.ts';
import { RedisMoved, atOneRedis } from '../redis/survive.ts';
import { NewerFormat } from '../redis/stored.ts';

/**
 * Runs one short step of the job for `id`. Gives the delay in ms after which it wants to run again, or
 * undefined when it is finished. `signal` aborts when somebody else may run it. `isTakenOver`: a process that ran it is gone.
 */
export type JobHandler = (
  id: string,
  signal: AbortSignal,
  isTakenOver?: boolean,
) => Promise<number | undefined>;

/** The same for a job of any name. Never throws. */
export type RunJob = (
  name: string,
  id: string,
  signal: AbortSignal,
  isTakenOver?: boolean,
) => Promise<number | undefined>;

const MAX_FAULTS = 1_000;
const FIRST_BACK_OFF_MS = 250;
/** Where a job's work was begun at another Redis, it begins anew. */
const ANEW_AFTER_MS = 50;

/** A job that only follows records: each of its steps is written where the one before was, or it begins anew. */
export function handlerAtOneRedis(handler: JobHandler): JobHandler {
  return (...given) => atOneRedis(() => handler(...given));
}

/** The job edge: faults of a job are logged, and the job is tried again later, never failed. */
export function createRunJob(
  handlers: Readonly<Record<string, JobHandler>>,
  { longestBackOffMs }: { readonly longestBackOffMs: number },
  log: Log,
): RunJob {
  const faults = new BoundedMap<string, number>(MAX_FAULTS);
  return async (name, id, signal, isTakenOver) => {
    const handler = handlers[name];
    const job = `${name}-${id}`;
    if (!handler) {
      log.error({ job }, 'dropping a job of an unknown name');
      return undefined;
    }
    try {
      const delayMs = await handler(id, signal, isTakenOver);
      faults.delete(job);
      return delayMs;
    } catch (error) {
      if (error instanceof RedisMoved) return ANEW_AFTER_MS;
      const tries = (faults.get(job) ?? 0) + 1;
      faults.set(job, tries);
      if (!(error instanceof NewerFormat))
        log.error({ job, tries, error }, 'running a job, which is tried again');
      else if (tries === 1) log.warn({ job, error }, 'leaving a job to a process of a newer version');
      return Math.min(FIRST_BACK_OFF_MS * 2 ** tries, longestBackOffMs);
    }
  };
}
