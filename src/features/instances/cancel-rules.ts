import { isSame } from '../../core/instances/facts.ts';
import type { ObservedState, Operation, Outcome } from '../../core/operations/operation.ts';
import type { Instance, AboutService, Deletion } from '../../platform/hosting/service.ts';
import type { Spoken } from '../../core/sentences/phrasebook.ts';
import { refuseDelete } from './delete-rules.ts';
import { CANCEL_AT_END, DELETE } from './route-ids.ts';

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

/** How people ask for it, whatever the service makes of it. */
export const DELETES: Spoken = { verbs: ['delete', 'terminate', 'destroy', 'get rid of'], isForOne: true };
export const DELETE_LABEL = 'Delete…';
export const CANCEL_LABEL = 'Cancel subscription…';

/** A deletion that cancels at the end of a term. */
export type AtItsEnd = Deletion & Required<Pick<Deletion, 'atEndOf'>>;

/** Whether a service cancels at the end of a term, and deletes nothing at once. */
export function isAtItsEnd(deletion: Deletion): deletion is AtItsEnd {
  return deletion.atEndOf !== undefined;
}

/** The button that deletes an instance, or cancels it, whichever its service does. */
interface Removal {
  readonly routeId: string;
  readonly label: string;
  readonly isPossible: (instance: Instance, isProtected: boolean) => boolean;
}

/** The same; undefined where the bot can do neither there. Pure. */
export function removalOf({
  deletion,
  offers,
}: Pick<AboutService, 'deletion' | 'offers'>): Removal | undefined {
  if (!offers.deletion || 'notOffered' in deletion) return undefined;
  const refuse = isAtItsEnd(deletion) ? refuseCancel : refuseDelete;
  return {
    routeId: isAtItsEnd(deletion) ? CANCEL_AT_END : DELETE,
    label: isAtItsEnd(deletion) ? CANCEL_LABEL : DELETE_LABEL,
    isPossible: (instance, isProtected) => refuse(instance, isProtected) === undefined,
  };
}
