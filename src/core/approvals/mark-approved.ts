import type { JobPart } from '../operations/run.ts';
import type { Approvals } from './approvals.ts';

/**
 * The lane of an operation that was begun by an approval: the approval says so. It belongs to the operation's job, so that
 * it is done even if the process that began it dies.
 */
export function createMarkApproved({ approvals }: { readonly approvals: Approvals }): JobPart {
  return async ({ id, approvalId, approvedBy, requestedAt }) => {
    if (approvalId === undefined || approvedBy === undefined) return false;
    const decided = { how: 'approved', by: approvedBy, at: requestedAt, operationId: id } as const;
    return (await approvals.decide(approvalId, decided)) !== undefined;
  };
}
