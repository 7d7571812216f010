import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Timings } from '../timings.ts';
import type { Access } from '../policy/access.ts';
import type { Permission } from '../policy/permissions.ts';
import { type Approval, decidedAs, dueAt, entryOfExpiry } from './approval.ts';
import { APPROVAL_JOB, type ApprovalStore, postIdOf } from './approvals.ts';
import { approvalMessage, messageToAsker, messageToFollower } from './messages.ts';
import type { Sweep } from '../sweep.ts';
import { approvalKeys } from './keys.ts';

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
        const at = clock.now();
        await approvals.change(id, (now) => decidedAs(now, { how: 'expired', at }), {
          audit: entryOfExpiry(approval, at),
        });
        continue;
      }
      await outbox.edit(postIdOf(id), approvalMessage(approval));
      const content = messageToAsker(approval);
      if (content)
        await outbox.post({
          id: `approval-end-${id}`,
          to: { userId: approval.actor.userId },
          content,
        });
      const said = messageToFollower(approval);
      for (const userId of approval.followers ?? [])
        if (said) await outbox.post({ id: `approval-end-${id}-${userId}`, to: { userId }, content: said });
      await approvals.change(id, (now) => ({ ...now, shownAt: clock.now() }));
    }
    return undefined;
  };
}

/** What an approval is asked for, as far as it matters here: what may begin, and what has begun. */
interface Beginnings {
  knows(approval: Pick<Approval, 'kind'>): boolean;
  kindOf(approval: Pick<Approval, 'id' | 'kind'>): { readonly permission: Permission };
  find(operationId: string): Promise<object | undefined>;
}

interface ApprovalSweepDeps {
  readonly approvals: ApprovalStore;
  readonly operations: Beginnings;
  readonly access: Pick<Access, 'check'>;
  readonly queue: WorkQueue;
  readonly clock: { now: () => number };
  readonly timings: Pick<Timings, 'sweepEveryMs' | 'acceptWithinMs'>;
}

/**
 * Puts the job of every approval back that is overdue, however it was lost, and ends each whose asker has lost the right
 * to it, however that came: nobody is to approve what would be refused.
 */
export function createApprovalSweep(deps: ApprovalSweepDeps): Sweep {
  const { approvals, queue, clock, timings } = deps;
  const run = async (): Promise<void> => {
    const before = clock.now() - timings.sweepEveryMs;
    for (const id of await approvals.listDue(Number.MAX_SAFE_INTEGER)) {
      const approval = await approvals.find(id);
      if (!approval) continue;
      const isWaiting = !approval.decided && approval.expiresAt + timings.acceptWithinMs > before;
      const due = dueAt(approval);
      const isOverdue = due !== 'closed' && due < before;
      if (isWaiting ? await endWithoutRight(deps, approval) : isOverdue) await queue.ensure(APPROVAL_JOB, id);
    }
  };
  return { keys: [approvalKeys.open], run };
}

/** Decides an approval whose asker may not do any more what they asked for. Whether that was so. */
async function endWithoutRight(deps: ApprovalSweepDeps, approval: Approval): Promise<boolean> {
  const { approvals, operations, access, clock } = deps;
  const { id, actor, instance, place } = approval;
  if (!operations.knows(approval)) return false;
  const { permission } = operations.kindOf(approval);
  const decision = await access.check(actor, permission, instance, { channelId: place.channelId });
  // A freeze ends, and who can't be looked up now may be later.
  if (decision.allowed || decision.reason === 'frozen' || decision.reason === 'not checked') return false;
  // What they may do once is taken for it just before it begins, while somebody says yes.
  const usedBy = decision.grant?.once?.usedBy;
  if (usedBy !== undefined && !(await operations.find(usedBy))) return false;
  const at = clock.now();
  const decided = { how: 'asker-no-right', at } as const;
  const entry = entryOfExpiry(approval, at, 'asker-no-right');
  return (await approvals.change(id, (now) => decidedAs(now, decided), { audit: entry })) !== undefined;
}
