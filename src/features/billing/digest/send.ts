import { type DeliverDeps, createDeliver, type MessageSource } from '../../../core/outbox/deliver.ts';
import {
  type OutboxMessage,
  type OutboxStep,
  lastStep,
  nextStep,
  stepDueAt,
} from '../../../core/outbox/outbox-message.ts';
import type { WorkQueue } from '../../../platform/queue/queue.ts';
import type { JobHandler } from '../../../platform/queue/worker.ts';
import type { Timings } from '../../../core/timings.ts';
import type { Places } from '../places.ts';
import { createMakeDigest, type MakeDeps } from './make.ts';
import { misdirected } from './messages.ts';
import type { Plan, PlanStore } from './plan.ts';

export interface DigestJobDeps extends DeliverDeps, MakeDeps {
  readonly clock: DeliverDeps['clock'];
  readonly places: Places;
  /** Who is told alone where the channel can't be posted to. */
  readonly admins: readonly string[];
}

type Pending = NonNullable<Plan['pending']>;

export const DIGEST_JOB = 'billing.digest';
export const DIGEST_ID = 'digest';

/** Makes the digest that is due, page by page, writes it down, and posts it once. */
export function createDigestJob(deps: DigestJobDeps): JobHandler {
  const { plans, places, clock, timings, log } = deps;
  const deliver = createDeliver(deps);
  const make = createMakeDigest(deps);

  const drop = async ({ message: { key } }: Pending): Promise<void> => {
    await plans.change((plan) => (plan.pending?.message.key === key ? without(plan) : undefined));
  };

  /** Asked right before a post: the configuration may have changed since it was set, or made. */
  const mayStand = async (
    { hasFigures, channelId, message }: Pending,
    step: OutboxStep,
  ): Promise<boolean> => {
    if (step !== 'post' || hasFigures === false || message.fallback !== undefined) return true;
    const isAllowed = await places.isAllowed(channelId);
    if (!isAllowed) log.warn({ channel: channelId }, 'no digest: its figures may not stand there any more');
    return isAllowed;
  };

  return async (_id, signal) => {
    while (!signal.aborted) {
      const plan = await plans.get();
      const { set, pending } = plan;
      const step = pending && stepOf(pending.message);
      if (pending && !step) {
        await drop(pending);
        continue;
      }
      const dueAt = dueAtOf(plan, timings);
      const waitMs = dueAt - clock.now();
      if (waitMs > 0) return Number.isFinite(waitMs) ? Math.ceil(waitMs) : undefined;
      if (pending && step) {
        if (await mayStand(pending, step)) await deliver(sourceOf(deps), plan, step);
        else await drop(pending);
        continue;
      }
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
}): () => Promise<void> {
  const { plans, queue, clock, timings } = deps;
  return async () => {
    if (dueAtOf(await plans.get(), timings) < clock.now() - timings.sweepEveryMs)
      await queue.ensure(DIGEST_JOB, DIGEST_ID);
  };
}

/** When there is something to do next; infinity for never. One on its way goes first. */
function dueAtOf({ set, making, pending }: Plan, timings: Timings): number {
  if (!pending) {
    if (!set) return Number.POSITIVE_INFINITY;
    return making?.dueAt === set.dueAt ? making.nextAt : set.dueAt;
  }
  const step = stepOf(pending.message);
  return step ? stepDueAt(pending.message, step, '', timings) : 0;
}

/** A digest is posted and never edited. */
function stepOf(message: OutboxMessage): OutboxStep | undefined {
  return (message.state === 'sent' ? undefined : nextStep(message, '')) ?? lastStep(message);
}

function without(plan: Plan): Plan {
  const { pending: _, ...rest } = plan;
  return rest;
}

function sourceOf({ plans, admins }: DigestJobDeps): MessageSource<Plan> {
  const told = ({ pending }: Plan): Pending => {
    if (!pending) throw new Error('no digest on its way');
    return pending;
  };
  return {
    of: { digest: DIGEST_ID },
    name: 'digest',
    messageOf: (plan) => told(plan).message,
    contentOf: (plan) => {
      const { content, channelId, message } = told(plan);
      return message.fallback === undefined ? content : misdirected(content, channelId);
    },
    // It is never edited.
    contentKeyOf: () => '',
    addressOf: (plan) => ({ channelId: told(plan).message.fallback ?? told(plan).channelId }),
    sinceOf: (plan) => told(plan).at,
    // An admin sees every figure anyway, and is who can mend it.
    fallbacksOf: () => admins,
    isBetterTwice: false,
    change: (move) =>
      plans.change((plan) => {
        const message = plan.pending && move(plan.pending.message, plan);
        return plan.pending && message && { ...plan, pending: { ...plan.pending, message } };
      }),
  };
}
