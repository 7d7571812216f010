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

/** What approvals begin, as far as people hear of its end. */
interface Endings {
  /** Has a person mentioned at the end; undefined where it is over, or too many are. */
  follow(operationId: string, userId: string): Promise<Followed | undefined>;
  find(operationId: string): Promise<Followed | undefined>;
}

interface Followed {
  readonly followers: readonly string[];
}

interface ApprovalJobDeps {
  readonly approvals: ApprovalStore;
  readonly operations: Endings;
  readonly outbox: Outbox;
  readonly clock: { now: () => number };
  readonly timings: Pick<Timings, 'acceptWithinMs'>;
}

/**
 * Shows how an approval was decided, to everybody, to its asker and to all who joined it, and ends one that nobody decided
 * in time.
 */
export function createApprovalJob(deps: ApprovalJobDeps): JobHandler {
  const { approvals, outbox, clock, timings } = deps;
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
      // First, since what was begun may soon be over.
      await tellFollowers(deps, approval);
      await outbox.edit(postIdOf(id), approvalMessage(approval));
      const content = messageToAsker(approval);
      if (content)
        await outbox.post({
          id: `approval-end-${id}`,
          to: { userId: approval.actor.userId },
          content,
        });
      await approvals.change(id, (now) => ({ ...now, shownAt: clock.now() }));
    }
    return undefined;
  };
}

/** Has each who joined it mentioned at the end of what was begun, or tells them how it was decided. */
async function tellFollowers({ operations, outbox }: ApprovalJobDeps, approval: Approval): Promise<void> {
  const { id, followers = [], decided } = approval;
  const content = messageToFollower(approval);
  for (const userId of followers)
    if (content && !(await isMentioned(operations, decided?.operationId, userId)))
      await outbox.post({ id: `approval-end-${id}-${userId}`, to: { userId }, content });
}

/** Whether the end of an operation mentions this person, from now on or since before. */
async function isMentioned(
  operations: Endings,
  operationId: string | undefined,
  userId: string,
): Promise<boolean> {
  if (operationId === undefined) return false;
  const operation = (await operations.follow(operationId, userId)) ?? (await operations.find(operationId));
  return operation !== undefined && operation.followers.includes(userId);
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
