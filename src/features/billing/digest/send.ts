import type { Timings } from '../../../core/timings.ts';
import type { WorkQueue } from '../../../platform/queue/queue.ts';
import type { JobHandler } from '../../../platform/queue/run-job.ts';
import { createMakeDigest, type MakeDeps } from './make.ts';
import type { Plan, PlanStore } from './plan.ts';
import type { Sweep } from '../../../core/sweep.ts';
import { billingKeys } from '../keys.ts';

export const DIGEST_JOB = 'billing.digest';
export const DIGEST_ID = 'digest';

/** Makes the digest that is due, page by page, and writes it down with its message. */
export function createDigestJob(deps: MakeDeps): JobHandler {
  const { plans, clock } = deps;
  const make = createMakeDigest(deps);

  return async (_id, signal) => {
    while (!signal.aborted) {
      const plan = await plans.get();
      const { set } = plan;
      const waitMs = dueAtOf(plan) - clock.now();
      if (waitMs > 0) return Number.isFinite(waitMs) ? Math.ceil(waitMs) : undefined;
      if (set) await make(plan, set);
      // One job reads a part of it, so that a process that is to end doesn't wait for the whole.
      return 0;
    }
    return undefined;
  };
}

/** Puts the job back where it is overdue, however it was lost. */
export function createDigestSweep(deps: {
  plans: PlanStore;
  queue: WorkQueue;
  clock: { now: () => number };
  timings: Timings;
}): Sweep {
  const { plans, queue, clock, timings } = deps;
  return {
    keys: [billingKeys.digest],
    run: async () => {
      if (dueAtOf(await plans.get()) < clock.now() - timings.sweepEveryMs)
        await queue.ensure(DIGEST_JOB, DIGEST_ID);
    },
  };
}

/** When there is something to do next; infinity for never. */
function dueAtOf({ set, making }: Plan): number {
  if (!set) return Number.POSITIVE_INFINITY;
  return making?.dueAt === set.dueAt ? making.nextAt : set.dueAt;
}
