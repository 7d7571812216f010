import type { JobHandler } from '../../platform/queue/run-job.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Access } from '../policy/access.ts';
import { stillFrozen } from '../policy/freeze.ts';
import type { Permission } from '../policy/permissions.ts';
import { type Approval, askedAgain, dueAt, entryOfExpiry } from './approval.ts';
import { type ApprovalStore, decide, saysAgain } from './approvals.ts';
import type { Base } from '../base.ts';

/** What an approval is asked for, as far as it matters here: what may begin, and what has begun. */
interface Beginnings {
  knows(approval: Pick<Approval, 'kind'>): boolean;
  kindOf(approval: Pick<Approval, 'id' | 'kind'>): { readonly permission: Permission };
  find(operationId: string): Promise<object | undefined>;
}

/**
 * Asks once more for one that nobody has answered for a while. Ends one that nobody decided in time, whose freeze is over, or whose
 * asker has lost the right to it, however that came: nobody is to approve what would be refused.
 */
export function createApprovalJob({
  approvals,
  operations,
  outbox,
  access,
  clock,
  timings,
}: Pick<Base, 'clock' | 'timings'> & {
  readonly approvals: ApprovalStore;
  readonly operations: Beginnings;
  readonly outbox: Outbox;
  readonly access: Access;
}): JobHandler {
  return async (id) => {
    const approval = await approvals.find(id);
    if (!approval || dueAt(approval) === 'closed') return undefined;
    const at = clock.now();
    // A yes that was said in time may still be on its way.
    const waitMs = approval.expiresAt + timings.acceptWithinMs - at;
    const isOver = waitMs <= 0;
    const isThawed = !isOver && (await isNoException(access, approval, at));
    if (!isOver && !isThawed && !(await hasLostRight(operations, access, approval))) {
      const again = (one: Approval): Approval | undefined => askedAgain(one, at);
      const after = again(approval) && (await approvals.change(id, again, saysAgain(outbox)));
      const due = dueAt(after ?? approval);
      return Math.ceil(due !== 'closed' && due > at ? due - at : waitMs);
    }
    const how = isOver ? 'expired' : isThawed ? 'thawed' : 'asker-no-right';
    const entry = entryOfExpiry(approval, at, how === 'expired' ? 'not-approved' : how);
    await decide({ store: approvals, outbox }, id, { how, at }, entry);
    return undefined;
  };
}

/** Whether all that it was to be an exception from is over. */
async function isNoException(access: Access, { exceptFrom }: Approval, now: number): Promise<boolean> {
  if (!exceptFrom) return false;
  const { freezes } = await access.policy();
  return freezes !== 'unreadable' && stillFrozen(exceptFrom, freezes, now).length === 0;
}

/** Whether the asker of an approval may not do any more what they asked for. */
async function hasLostRight(operations: Beginnings, access: Access, approval: Approval): Promise<boolean> {
  const { actor, instance, place } = approval;
  if (!operations.knows(approval)) return false;
  const { permission } = operations.kindOf(approval);
  const decision = await access.check(actor, permission, instance, { channelId: place.channelId });
  // A freeze ends, and who can't be looked up now may be later.
  if (decision.allowed || decision.reason === 'frozen' || decision.reason === 'not checked') return false;
  // What they may do once is taken for it just before it begins, while somebody says yes.
  const usedBy = decision.grant?.once?.usedBy;
  return usedBy === undefined || (await operations.find(usedBy)) !== undefined;
}
