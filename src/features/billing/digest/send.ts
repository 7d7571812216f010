import type { RedisClock } from '../../../platform/redis/clock.ts';
import type { JobHandler } from '../../../platform/queue/run-job.ts';
import { createMakeDigest, type MakeDeps } from './make.ts';
import type { Plan, PlanStore } from './plan.ts';
import { type SweptKind, sweptRecord } from '../../../core/sweep.ts';
import { digestKey } from './plan.ts';

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

/** `atRedis`: it is due by the calendar. */
export function sweptDigest(plans: PlanStore, { atRedis }: Pick<RedisClock, 'atRedis'>): SweptKind {
  const kind = { job: DIGEST_JOB, id: DIGEST_ID, index: digestKey, dueAt: dueAtOf, isSeldom: true };
  const { listDue, ...swept } = sweptRecord(plans, kind);
  return { ...swept, listDue: (before) => listDue(atRedis(before)) };
}

/** When there is something to do next; infinity for never. */
function dueAtOf({ set, making }: Plan): number {
  if (!set) return Number.POSITIVE_INFINITY;
  return making?.dueAt === set.dueAt ? making.nextAt : set.dueAt;
}
