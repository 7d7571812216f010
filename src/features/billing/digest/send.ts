import type { JobHandler } from '../../../platform/queue/run-job.ts';
import { createMakeDigest, type MakeDeps } from './make.ts';
import { dueAtOf } from './plan.ts';

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
