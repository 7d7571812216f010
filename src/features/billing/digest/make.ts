import type { NewPost } from '../../../core/outbox/post.ts';
import { Refusal } from '../../../core/refusal.ts';
import { HostingError } from '../../../platform/hosting/hosting-error.ts';
import { inBackground } from '../../../platform/hosting/in-background.ts';
import { TRANSACTIONS_NOT_OFFERED } from '../balance/offered.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { outside } from '../outside/reports.ts';
import type { ReadDailyCosts } from '../range/expected.ts';
import { FIGURES } from '../places.ts';
import { isPlaceGone, readOn } from '../transactions/walk.ts';
import { lookBack } from './look.ts';
import { notMadeMessage } from './messages.ts';
import { NOTHING_READ, withPage } from './spend.ts';
import { endedAt, type Making, makingOf, movedOn, type Plan, type PlanStore, withProgress } from './plan.ts';
import type { Billing } from '../billing.ts';

export interface MakeDeps extends Billing {
  readonly plans: PlanStore;
  readonly dailyCosts: ReadDailyCosts;
}

/** How often one digest fails in a row before that is said. */
const MAX_FAILURES = 5;
/** Each pause between two failures is so many times as long as the one before. */
const LONGER_BY = 4;
/** For how long one digest is read: past that it tells of what was read. */
const MAX_MS = 6 * 3_600_000;
/** A service that takes no more requests is asked again after this, where it doesn't say when. */
const RATE_LIMIT_PAUSE_MS = 5_000;

/**
 * One step of making the digest that is due: some pages more, or its message once all was read. What was read is written
 * down, so that no step is done twice. A fault is tried again a few times with a growing pause; then the channel reads
 * that there is none this week, and why.
 */
export function createMakeDigest(
  deps: MakeDeps,
): (plan: Plan, set: NonNullable<Plan['set']>) => Promise<void> {
  const { plans, outbox, hosting, unit, links, dailyCosts, clock, timings, log } = deps;

  const fail = async (making: Making, fault: unknown): Promise<void> => {
    const now = clock.now();
    const isLimited = fault instanceof HostingError && fault.fault === 'rate-limited';
    if (isLimited && now - making.startedAt < MAX_MS) {
      const nextAt = now + (fault.retryAfterMs ?? RATE_LIMIT_PAUSE_MS);
      await plans.change((plan) => movedOn(plan, making, { ...making, nextAt }));
      return;
    }
    const failures = making.failures + 1;
    const isFault = fault instanceof HostingError || fault instanceof Refusal;
    log[isFault ? 'warn' : 'error']({ error: fault, failures }, 'making the digest');
    // What the service doesn't offer is not offered at the next try either.
    const isFinal = fault instanceof Refusal && fault.code === TRANSACTIONS_NOT_OFFERED;
    if (failures < MAX_FAILURES && !isFinal) {
      const nextAt = now + timings.digestRetryMs * LONGER_BY ** making.failures;
      // What is read is complete at `finish`, whose faults are of other calls.
      const isLost = !making.progress.end && isPlaceGone(making.progress, fault);
      const progress = isLost ? NOTHING_READ : making.progress;
      await plans.change((plan) => movedOn(plan, making, { ...making, progress, failures, nextAt }));
      return;
    }
    await plans.change(
      (plan) => endedAt(plan, making.dueAt, now),
      ({ set }) =>
        outbox.saying(
          set ? [digestOf(set, making, notMadeMessage(fault, failures, set.dueAt))] : [],
          'moved',
        ),
    );
  };

  /** Reads on and writes that down. Gives the making once all was read. */
  const read = async (making: Making): Promise<Making | undefined> => {
    const { progress: from, startedAt, dueAt } = making;
    if (from.end !== undefined) return making;
    if (clock.now() - startedAt >= MAX_MS) return { ...making, progress: { ...from, end: 'cut' } };
    const { progress, fault } = await readOn(hosting, from, (so, page) => withPage(so, page, dueAt));
    const isFurther = progress.page > from.page;
    const next = isFurther ? withProgress(making, progress, clock.now()) : making;
    if (isFurther && !(await plans.change((plan) => movedOn(plan, making, next)))) return undefined;
    if (fault !== undefined) await fail(next, fault);
    return fault === undefined && progress.end !== undefined ? next : undefined;
  };

  const finish = async (making: Making, set: NonNullable<Plan['set']>): Promise<void> => {
    const { dueAt, progress } = making;
    const looked = await lookBack(
      { hosting: inBackground(hosting), unit, topUp: links.topUp, now: clock.now, dailyCosts },
      { schedule: set.schedule, progress },
    ).catch((fault: unknown) => ({ fault }));
    if ('fault' in looked) return fail(making, looked.fault);
    const { message, facts } = looked;
    await plans.change(
      (now) => endedAt(now, dueAt, clock.now()),
      // It has figures, unlike one that could not be made.
      (after) =>
        outbox.saying(
          after.set
            ? [
                { ...digestOf(after.set, making, message), guard: FIGURES },
                ...outside(deps.outside, `digest ${dueAt}`, message, { kind: 'digest', ...facts }),
              ]
            : [],
          'moved',
        ),
    );
  };

  return async (plan, set) => {
    const ready = await read(makingOf(plan, set.dueAt, clock.now()));
    if (ready) await finish(ready, set);
  };
}

/** The message of a digest, for the channel that it is set for. */
function digestOf({ channelId }: NonNullable<Plan['set']>, { dueAt }: Making, content: Message): NewPost {
  return { id: `digest-${dueAt}`, to: { channelId }, content };
}
