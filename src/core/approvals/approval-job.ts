import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Timings } from '../timings.ts';
import type { Access } from '../policy/access.ts';
import type { Permission } from '../policy/permissions.ts';
import { type Approval, dueAt, entryOfExpiry } from './approval.ts';
import { APPROVAL_JOB, type ApprovalStore, decide } from './approvals.ts';
import type { Sweep } from '../sweep.ts';
import { approvalKeys } from './keys.ts';

interface ApprovalJobDeps {
  readonly approvals: ApprovalStore;
  readonly outbox: Pick<Outbox, 'saying'>;
  readonly clock: { now: () => number };
  readonly timings: Pick<Timings, 'acceptWithinMs'>;
}

/** Ends one that nobody decided in time. */
export function createApprovalJob({ approvals, outbox, clock, timings }: ApprovalJobDeps): JobHandler {
  return async (id) => {
    const approval = await approvals.find(id);
    if (!approval || dueAt(approval) === 'closed') return undefined;
    // A yes that was said in time may still be on its way.
    const waitMs = approval.expiresAt + timings.acceptWithinMs - clock.now();
    if (waitMs > 0) return Math.ceil(waitMs);
    const at = clock.now();
    await decide({ store: approvals, outbox }, id, { how: 'expired', at }, entryOfExpiry(approval, at));
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
  readonly outbox: Pick<Outbox, 'saying'>;
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
      const isWaiting = approval.expiresAt + timings.acceptWithinMs > before;
      if (isWaiting) await endWithoutRight(deps, approval);
      else await queue.ensure(APPROVAL_JOB, id);
    }
  };
  return { keys: [approvalKeys.open], run };
}

/** Decides an approval whose asker may not do any more what they asked for. */
async function endWithoutRight(deps: ApprovalSweepDeps, approval: Approval): Promise<void> {
  const { approvals, operations, access, clock } = deps;
  const { id, actor, instance, place } = approval;
  if (!operations.knows(approval)) return;
  const { permission } = operations.kindOf(approval);
  const decision = await access.check(actor, permission, instance, { channelId: place.channelId });
  // A freeze ends, and who can't be looked up now may be later.
  if (decision.allowed || decision.reason === 'frozen' || decision.reason === 'not checked') return;
  // What they may do once is taken for it just before it begins, while somebody says yes.
  const usedBy = decision.grant?.once?.usedBy;
  if (usedBy !== undefined && !(await operations.find(usedBy))) return;
  const at = clock.now();
  const entry = entryOfExpiry(approval, at, 'asker-no-right');
  await decide({ store: approvals, outbox: deps.outbox }, id, { how: 'asker-no-right', at }, entry);
}
