import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Timings } from '../timings.ts';
import { decidedAs, dueAt } from './approval.ts';
import { APPROVAL_JOB, type ApprovalStore, postIdOf } from './approvals.ts';
import { approvalMessage, toldAsker } from './messages.ts';

interface ApprovalJobDeps {
  readonly approvals: ApprovalStore;
  readonly outbox: Outbox;
  readonly clock: { now: () => number };
  readonly timings: Pick<Timings, 'acceptWithinMs'>;
}

/** Shows how an approval was decided, to everybody and to its asker, and ends one that nobody decided in time. */
export function createApprovalJob({ approvals, outbox, clock, timings }: ApprovalJobDeps): JobHandler {
  return async (id, signal) => {
    while (!signal.aborted) {
      const approval = await approvals.find(id);
      if (!approval || dueAt(approval) === 'closed') return undefined;
      if (!approval.decided) {
        // A yes that was said in time may still be on its way.
        const waitMs = approval.expiresAt + timings.acceptWithinMs - clock.now();
        if (waitMs > 0) return Math.ceil(waitMs);
        await approvals.change(id, (now) => decidedAs(now, { how: 'expired', at: clock.now() }));
        continue;
      }
      await outbox.edit(postIdOf(id), approvalMessage(approval));
      const told = toldAsker(approval);
      if (told)
        await outbox.post({
          id: `approval-told-${id}`,
          to: { userId: approval.actor.userId },
          content: told,
        });
      await approvals.change(id, (now) => ({ ...now, shownAt: clock.now() }));
    }
    return undefined;
  };
}

/** Puts the job of every approval back that is overdue, however it was lost. */
export function createApprovalSweep(deps: {
  readonly approvals: ApprovalStore;
  readonly queue: WorkQueue;
  readonly clock: { now: () => number };
  readonly timings: Pick<Timings, 'sweepEveryMs' | 'acceptWithinMs'>;
}): () => Promise<void> {
  const { approvals, queue, clock, timings } = deps;
  return async () => {
    const before = clock.now() - timings.sweepEveryMs;
    for (const id of await approvals.listDue(before)) {
      const approval = await approvals.find(id);
      const isWaiting = approval && !approval.decided && approval.expiresAt + timings.acceptWithinMs > before;
      if (approval && !isWaiting) await queue.ensure(APPROVAL_JOB, id);
    }
  };
}
