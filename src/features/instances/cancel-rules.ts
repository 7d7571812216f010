import { isSame } from '../../core/instances/fingerprint.ts';
import type { ObservedState, Operation, Outcome } from '../../core/operations/operation.ts';
import type { Instance } from '../../platform/hosting/service.ts';

/** Why the subscription of an instance can't be canceled now; undefined when it can. Pure. */
export function refuseCancel(
  { endsAt, status, isDeletionProtected, isLocked }: Instance,
  isProtected: boolean,
): 'protected' | 'protected-there' | 'already' | 'deleting' | 'locked' | undefined {
  if (endsAt !== undefined) return 'already';
  if (status === 'deleting' || status === 'deleted') return 'deleting';
  if (isProtected) return 'protected';
  if (isDeletionProtected) return 'protected-there';
  return isLocked ? 'locked' : undefined;
}

/** Whether it is canceled: the service shows until when it runs, or has ended it already. Pure. */
export function isCanceled({ endsAt, status }: Pick<ObservedState, 'endsAt' | 'status'>): boolean {
  return endsAt !== undefined || status === 'gone' || status === 'deleted';
}

/**
 * What a read just before the call finds in its way; undefined where it is still what was confirmed. Pure. Before the call is
 * asked again, the instance must be provably the same.
 */
export function judgeBeforeCancel(
  operation: Operation,
  instance: Instance | undefined,
  isProtected: boolean,
): Omit<Outcome, 'at'> | undefined {
  if (operation.execution.sends > 0) {
    const isProven =
      operation.subject.createdAt !== undefined && instance && isSame(operation.subject, instance);
    if (isProven && isCanceled(instance)) return { result: 'done', code: 'found-done' };
    return isProven && !isProtected ? undefined : { result: 'unknown', code: 'no-answer' };
  }
  if (!instance) return { result: 'failed', code: 'gone' };
  // What is over may have lost what tells it from others.
  if (instance.status === 'deleted') return { result: 'done', code: 'already' };
  if (!isSame(operation.subject, instance)) return { result: 'canceled', code: 'changed' };
  if (isCanceled(instance)) return { result: 'done', code: 'already' };
  return isProtected ? { result: 'canceled', code: 'protected' } : undefined;
}
