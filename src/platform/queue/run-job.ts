import { BoundedMap } from '../bounded-map.ts';
import type { Log } from '../log/log.ts';

/**
 * Why a job runs: `here`, where this process has just written what the job is about, so that it knows the newest
 * record; `taken over`, where the process that had it must be gone; `elsewhere` for anything else.
 */
export type Cause = 'here' | 'elsewhere' | 'taken over';

/**
 * Runs one short step of the job for `id`. Gives the delay in ms after which it wants to run again, or
 * undefined when it is through. `signal` aborts when somebody else may run it.
 */
export type JobHandler = (id: string, signal: AbortSignal, cause?: Cause) => Promise<number | undefined>;

/** The same for a job of any name. Never throws. */
export type RunJob = (
  name: string,
  id: string,
  signal: AbortSignal,
  cause: Cause,
) => Promise<number | undefined>;

const MAX_FAULTS = 1_000;
const FIRST_BACK_OFF_MS = 250;

/** The job edge: faults of a job are logged, and the job is tried again later, never failed. */
export function createRunJob(
  handlers: Readonly<Record<string, JobHandler>>,
  { longestBackOffMs }: { readonly longestBackOffMs: number },
  log: Log,
): RunJob {
  const faults = new BoundedMap<string, number>(MAX_FAULTS);
  return async (name, id, signal, cause) => {
    const handler = handlers[name];
    const job = `${name}-${id}`;
    if (!handler) {
      log.error({ job }, 'dropping a job of an unknown name');
      return undefined;
    }
    try {
      const delayMs = await handler(id, signal, cause);
      faults.delete(job);
      return delayMs;
    } catch (error) {
      const tries = (faults.get(job) ?? 0) + 1;
      faults.set(job, tries);
      log.error({ job, tries, error }, 'running a job, which is tried again');
      return Math.min(FIRST_BACK_OFF_MS * 2 ** tries, longestBackOffMs);
    }
  };
}
