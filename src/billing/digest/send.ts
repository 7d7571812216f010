import { type CarryDeps, createCarry, type Letter } from '../../deliveries/carry.ts';
import {
  type Delivery,
  type DeliveryStep,
  lastStep,
  nextStep,
  stepDueAt,
} from '../../deliveries/delivery.ts';
import type { HostingService } from '../../hosting/service.ts';
import type { WorkQueue } from '../../queue/queue.ts';
import type { JobHandler } from '../../queue/worker.ts';
import type { Timings } from '../../timings.ts';
import type { Places } from '../places.ts';
import { lookBack } from './look.ts';
import { misdirected } from './messages.ts';
import { made, type Plan, type PlanStore } from './plan.ts';

export interface DigestJobDeps extends CarryDeps {
  readonly plans: PlanStore;
  readonly hosting: HostingService;
  readonly unit: string;
  readonly places: Places;
  /** Who is told alone where the channel can't be posted to. */
  readonly admins: readonly string[];
}

export const DIGEST_JOB = 'billing.digest';
export const DIGEST_ID = 'digest';

/** Makes the digest that is due, writes it down, and posts it once. */
export function createDigestJob(deps: DigestJobDeps): JobHandler {
  const { plans, hosting, unit, places, clock, timings, log } = deps;
  const carry = createCarry(deps);

  const make = async (set: NonNullable<Plan['set']>, before: Plan['before']): Promise<void> => {
    // Asked at the moment itself: the configuration may have changed.
    const isAllowed = await places.isAllowed(set.channelId);
    if (!isAllowed)
      log.warn({ channel: set.channelId }, 'no digest: its figures may not stand there any more');
    const { message, still } = await lookBack({ hosting, unit, now: clock.now }, { ...set, before });
    await plans.change((plan) => made(plan, set.dueAt, isAllowed ? message : undefined, still, clock.now()));
  };

  return async (_id, signal) => {
    while (!signal.aborted) {
      const plan = await plans.get();
      const { set, pending } = plan;
      const step = pending && stepOf(pending.delivery);
      if (pending && !step) {
        await plans.change((now) =>
          now.pending?.delivery.key === pending.delivery.key ? without(now) : undefined,
        );
        continue;
      }
      const dueAt = dueAtOf(plan, timings);
      const waitMs = dueAt - clock.now();
      if (waitMs > 0) return Number.isFinite(waitMs) ? Math.ceil(waitMs) : undefined;
      if (step) await carry(letterOf(deps), plan, step);
      else if (set) await make(set, plan.before);
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
}): () => Promise<void> {
  const { plans, queue, clock, timings } = deps;
  return async () => {
    if (dueAtOf(await plans.get(), timings) < clock.now() - timings.sweepEveryMs)
      await queue.ensure(DIGEST_JOB, DIGEST_ID);
  };
}

/** When there is something to do next; infinity for never. One on its way goes first. */
function dueAtOf({ set, pending }: Plan, timings: Timings): number {
  if (!pending) return set?.dueAt ?? Number.POSITIVE_INFINITY;
  const step = stepOf(pending.delivery);
  return step ? stepDueAt(pending.delivery, step, '', timings) : 0;
}

/** A digest is posted and never edited. */
function stepOf(delivery: Delivery): DeliveryStep | undefined {
  return (delivery.state === 'sent' ? undefined : nextStep(delivery, '')) ?? lastStep(delivery);
}

function without(plan: Plan): Plan {
  const { pending: _, ...rest } = plan;
  return rest;
}

function letterOf({ plans, admins }: DigestJobDeps): Letter<Plan> {
  const told = ({ pending }: Plan): NonNullable<Plan['pending']> => {
    if (!pending) throw new Error('no digest on its way');
    return pending;
  };
  return {
    of: { digest: DIGEST_ID },
    name: 'digest',
    deliveryOf: (plan) => told(plan).delivery,
    messageOf: (plan) => {
      const { message, channelId, delivery } = told(plan);
      return delivery.fallback === undefined ? message : misdirected(message, channelId);
    },
    addressOf: (plan) => ({ channelId: told(plan).delivery.fallback ?? told(plan).channelId }),
    sinceOf: (plan) => told(plan).at,
    // An admin sees every figure anyway, and is who can mend it.
    fallbacksOf: () => admins,
    isBetterTwice: false,
    change: (move) =>
      plans.change((plan) => {
        const delivery = plan.pending && move(plan.pending.delivery, plan);
        return plan.pending && delivery && { ...plan, pending: { ...plan.pending, delivery } };
      }),
  };
}
