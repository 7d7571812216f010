import { approvalOf } from '../policy/pattern.ts';
import { isOfAdmin } from '../policy/decide.ts';
import { withMarksFor } from '../policy/marks.ts';
import type { Operation } from './operation.ts';
import type { Operating } from './operations.ts';

type No = 'no-right' | 'approver-no-right' | 'frozen' | 'needs-approval' | 'not-checked';

/**
 * Why an operation is not to be done any more, just before its call: who asked may not do it, nor who approved it approve it, or nobody
 * has approved what needs that by now. Undefined where it is. `not-checked`: nobody can tell just now.
 */
export async function whyNoMore(
  deps: Pick<Operating, 'hosting' | 'access' | 'approvalRules' | 'operations'>,
  operation: Operation,
): Promise<No | undefined> {
  const { operations, access } = deps;
  const { id, actor, subject, place, cancelWindowMs, override, approvedBy, exceptFrom } = operation;
  const { permission } = operations.kindOf(operation);
  const at = {
    channelId: place.channelId,
    isFresh: cancelWindowMs !== undefined || 'groups',
    operationId: id,
  } as const;
  const asker = await access.check(actor, permission, subject, {
    ...at,
    override: override !== undefined,
    exceptFrom: exceptFrom?.map((one) => one.id),
  });
  if (!asker.allowed) return codeOf(asker.reason, 'no-right');
  // An admin who gave a reason went alone.
  if (approvedBy === undefined)
    return override !== undefined && isOfAdmin(asker.rule) ? undefined : needsApproval(deps, operation);
  const approver = await access.check({ userId: approvedBy }, permission, subject, {
    ...at,
    // Who gives an exception could make the change in spite of the freeze.
    override: exceptFrom !== undefined,
  });
  return approver.allowed ? undefined : codeOf(approver.reason, 'approver-no-right');
}

function codeOf(reason: string, noRight: No): No {
  if (reason === 'not checked') return 'not-checked';
  return reason === 'frozen' ? 'frozen' : noRight;
}

/** A rule may be newer than the operation, or its instance have got a label since. */
async function needsApproval(
  { operations, approvalRules, hosting }: Pick<Operating, 'hosting' | 'approvalRules' | 'operations'>,
  operation: Operation,
): Promise<'needs-approval' | 'not-checked' | undefined> {
  const { verb } = operations.kindOf(operation);
  const rules = approvalRules();
  if (!approvalOf(rules, verb, operation.subject)) return undefined;
  const marked = await withMarksFor(hosting, rules, operation.subject);
  if (!marked) return 'not-checked';
  return approvalOf(rules, verb, marked) ? 'needs-approval' : undefined;
}
