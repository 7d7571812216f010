import type { NewPost } from '../../../core/outbox/post.ts';
import { Refusal } from '../../../core/refusal.ts';
import { HostingError } from '../../../platform/hosting/hosting-error.ts';
import { HOUR_MS } from '../../../platform/time/duration.ts';
import { afterFault } from '../after-fault.ts';
import { TRANSACTIONS_NOT_OFFERED } from '../balance/offered.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { outside } from '../outside/reports.ts';
import { FIGURES } from '../places.ts';
import { lookBack, weeksBefore } from './look.ts';
import type { Prepaid } from '../billing.ts';
import { notMadeMessage } from './messages.ts';
import { attemptOf, endedAt, type DigestRecord, putOff, type SetDigest } from './record.ts';

/** How often one digest fails in a row before that is said. */
const MAX_FAILURES = 5;
/** For so long it waits for the ledger, which is tried each hour at least, and is tried itself: past that it tells of what is known. */
const MAX_MS = 2 * HOUR_MS;

/**
 * Makes the digest that is due, and writes its message down with the next one's date. It waits for the days that the ledger is about
 * to have. A fault is tried again a few times with a growing pause; then the channel reads that there is none this week, and why.
 */
export function createMakeDigest(deps: Prepaid): (record: DigestRecord, now: number) => Promise<void> {
  const { digest, outbox, timings, log } = deps;

  const end = async (
    dueAt: number,
    now: number,
    posts: (next: SetDigest) => readonly NewPost[],
  ): Promise<void> => {
    await digest.change(
      (record) => endedAt(record, dueAt, now),
      ({ set }) => outbox.saying(set ? posts(set) : [], 'moved'),
    );
  };

  return async (record, now) => {
    const { set } = record;
    if (!set) return;
    const { dueAt } = set;
    const attempt = attemptOf(record, set, now);
    const isLast = now - attempt.startedAt >= MAX_MS;
    const weeks = await weeksBefore(deps, dueAt, now);
    // The service is asked for nothing while the ledger reads it.
    if (weeks.isComing && !isLast) {
      const next = { ...attempt, dueAt: now + timings.billingRetryMs };
      await digest.change((before) => putOff(before, next));
      return;
    }
    const looked = await lookBack(deps, set.schedule.zone, weeks, now).catch((fault: unknown) => ({ fault }));
    if (!('fault' in looked)) {
      const { message, facts } = looked;
      await end(dueAt, now, (to) => [
        // It has figures, unlike one that could not be made.
        { ...digestOf(to, dueAt, message), guard: FIGURES },
        ...outside(deps.outside, `digest ${dueAt}`, message, { kind: 'digest', ...facts }),
      ]);
      return;
    }
    const { fault } = looked;
    const next = { ...attempt, ...afterFault(attempt.failures, fault, now, timings) };
    const isFault = fault instanceof HostingError || fault instanceof Refusal;
    log[isFault ? 'warn' : 'error']({ error: fault, failures: next.failures }, 'making the digest');
    // What the service doesn't offer is not offered at the next try either.
    const isFinal = fault instanceof Refusal && fault.code === TRANSACTIONS_NOT_OFFERED;
    if (isFinal || isLast || next.failures >= MAX_FAILURES)
      await end(dueAt, now, (to) => [
        digestOf(to, dueAt, notMadeMessage(fault, Math.max(1, next.failures), to.dueAt)),
      ]);
    else await digest.change((before) => putOff(before, next));
  };
}

/** The message of the digest that was due then, for the channel that it is set for. */
function digestOf({ channelId }: SetDigest, dueAt: number, content: Message): NewPost {
  return { id: `digest-${dueAt}`, to: { channelId }, content };
}
