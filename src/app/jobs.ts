import type { Sweeps } from '../core/sweep.ts';
import { createRunJob, type JobHandler } from '../platform/queue/run-job.ts';
import type { JobWorker } from '../platform/queue/worker.ts';
import { createJobs, type KindsDeps } from './kinds.ts';

type JobsDeps = KindsDeps & {
  readonly worker: JobWorker;
  readonly sweeps: Sweeps;
  /** Put before each key of the account. */
  readonly scope: string;
};

/** What runs behind the queue in this process. */
export interface Jobs {
  /** Takes no new job and waits for the running ones, at most `limitMs`. */
  drain(limitMs: number): Promise<void>;
}

/** Starts what the worker runs of an account, what runs here without it, and the sweeps that bring back what was lost to them. */
export function startJobs(deps: JobsDeps): Jobs {
  const { runner, timings, worker, sweeps, scope, queue, log } = deps;
  const jobs = createJobs(deps);
  const handlersOf = (
    run: (one: (typeof jobs)[number]) => JobHandler,
  ): Readonly<Record<string, JobHandler>> => Object.fromEntries(jobs.map((one) => [one.job, run(one)]));
  const locals = jobs.filter(({ isLocal }) => isLocal).map(({ job }) => job);
  runner.start(
    locals,
    createRunJob(
      handlersOf(({ run }) => run),
      timings,
      log,
    ),
  );
  // What a process without jobs has woken runs as if this one had.
  const runHere =
    (name: string): JobHandler =>
    async (id) => {
      runner.wake(name, id);
      return undefined;
    };
  const ofWorker = handlersOf(({ job, isLocal, run }) => (isLocal ? runHere(job) : run));
  const served = worker.serve(scope, createRunJob(ofWorker, timings, log));
  const stopSweeps = sweeps.add({ scope, queue, kinds: jobs, log });
  return {
    drain: async (limitMs) => {
      stopSweeps();
      await Promise.all([served, runner].map((one) => one.drain(limitMs)));
    },
  };
}
