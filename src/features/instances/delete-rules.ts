import { isSame } from '../../core/instances/facts.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { maySendAgain } from '../../core/changes/judge.ts';
import type { Judgment } from '../../core/operations/kind.ts';
import type { Operation, Outcome, ObservedState } from '../../core/operations/operation.ts';
import type { Timings } from '../../core/timings.ts';
import type { OutcomeCode } from '../../core/outcome-words.ts';

/** In these the service takes no deletion. */
const ON_THE_WAY = ['starting', 'stopping', 'restarting', 'resizing', 'migrating', 'rebuilding'];
const GOING = ['deleting', 'deleted'];

/** Why an instance can't be deleted now; undefined when it can. Pure. */
export function refuseDelete(
  instance: Instance,
  isProtected: boolean,
): 'protected' | 'protected-there' | 'deleting' | 'on-the-way' | 'locked' | undefined {
  if (isProtected) return 'protected';
  if (instance.isDeletionProtected) return 'protected-there';
  if (GOING.includes(instance.status)) return 'deleting';
  if (ON_THE_WAY.includes(instance.status)) return 'on-the-way';
  return instance.isLocked ? 'locked' : undefined;
}

/**
 * What a read just before the call finds in its way; undefined where it is still what was confirmed. Pure. Before the
 * call is asked again, the instance must be provably the same and as it was: by its birthday, and by its status.
 */
export function judgeBeforeDelete(
  operation: Operation,
  instance: Instance | undefined,
  isProtected: boolean,
): Omit<Outcome, 'at'> | undefined {
  const isAgain = operation.execution.sends > 0;
  if (!instance) return { result: 'done', code: isAgain ? 'found-done' : 'already' };
  if (isAgain) {
    const isProven = operation.subject.createdAt !== undefined && isSame(operation.subject, instance);
    if (isProven && instance.status === 'deleted') return { result: 'done', code: 'found-done' };
    const mayAsk = isProven && !isProtected && isAsBefore(operation, instance.status);
    return mayAsk ? undefined : { result: 'unknown', code: 'no-answer' };
  }
  // What is over may have lost what tells it from others.
  if (instance.status === 'deleted') return { result: 'done', code: 'already' };
  if (!isSame(operation.subject, instance)) return { result: 'canceled', code: 'changed' };
  return isProtected ? { result: 'canceled', code: 'protected' } : undefined;
}

/** What a poll means for a deletion that was accepted, or whose answer is lost. Pure. */
export function judgeDelete(
  operation: Operation,
  observed: ObservedState,
  now: number,
  timings: Timings,
): Judgment {
  const { execution } = operation;
  const end = (result: Outcome['result'], code: OutcomeCode): Judgment => ({
    next: 'end',
    outcome: { result, code },
  });
  const isAccepted = execution.state === 'accepted';
  if (observed.status === 'gone' || observed.status === 'deleted')
    return end('done', isAccepted ? 'done' : 'found-done');

  const ageMs = now - (execution.acceptedAt ?? execution.sentAt ?? operation.requestedAt);
  if (ageMs > timings.patienceMs)
    return end(observed.status === 'deleting' || !isAccepted ? 'unknown' : 'failed', 'no-end');
  const slow = ageMs > Math.max(operation.longMs ?? 0, timings.slowAfterMs);
  if (isAccepted || observed.status === 'deleting') return { next: 'poll', slow };

  // The answer is lost, and it is still there.
  if (now - (execution.sentAt ?? 0) < timings.settleMs) return { next: 'poll' };
  const isProvable = operation.subject.createdAt !== undefined && isAsBefore(operation, observed.status);
  return isProvable && maySendAgain(operation, now, timings) ? { next: 'send' } : end('unknown', 'no-answer');
}

/** What an answer "wrong state" or "no such instance" means, with the state that was read after it, if it could be. Pure. */
export function judgeRefusedDelete(
  operation: Operation,
  observed: ObservedState | undefined,
  said: string | undefined,
): Omit<Outcome, 'at'> | 'under way' {
  const askedBefore = operation.execution.sends > 1;
  if (observed?.status === 'gone' || observed?.status === 'deleted') {
    return { result: 'done', code: askedBefore ? 'found-done' : 'already' };
  }
  // A second deletion is refused as well: somebody's is under way, ours or another's.
  if (observed?.status === 'deleting') return 'under way';
  // The call before may still do it, whatever is said to this one.
  if (askedBefore) return { result: 'unknown', code: 'no-answer', ...(said ? { said } : {}) };
  return { result: 'failed', code: 'wrong-state', ...(said ? { said } : {}) };
}

function isAsBefore(operation: Operation, status: string): boolean {
  return operation.execution.hasProgressed ? false : status === operation.subject.status;
}
