import { approvalKeys } from '../approvals/keys.ts';
import { operationKeys } from '../operations/keys.ts';
import { type Condition, NONE, unchanged } from '../records/conditions.ts';

/** That a request has begun no change, and asked nobody to approve one. */
export function nothingCame(requestId: string): readonly Condition<'begun'>[] {
  return [operationKeys.operation(requestId), approvalKeys.approval(requestId)].map((key) =>
    unchanged(key, NONE, 'begun'),
  );
}
