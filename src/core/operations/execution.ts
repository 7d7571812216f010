import type { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Actor } from '../../platform/slack/ids.ts';
import type { WriteAnswer } from '../../platform/hosting/service.ts';
import type { Timings } from '../timings.ts';
import { isInGrace, isInLine, sendDeadline, mayLeave, startsAt } from './grace.ts';
import type { Operation, Outcome, Seen } from './operation.ts';
import type { OutcomeCode } from './outcome-words.ts';

/**
 * How the execution of an operation moves, as pure functions. Each gives the operation after the step, or
 * undefined where the step does not apply any more: somebody else has moved it.
 */

/** Written down before the call leaves, which it does at `leavesAt`; Unix ms. */
export function startSending(
  operation: Operation,
  sendId: string,
  now: number,
  timings: Timings,
  leavesAt = now,
): Operation | undefined {
  const { execution } = operation;
  if (execution.state !== 'requested') return undefined;
  // A process that waited for its turn until it was too late must not send after all.
  if (execution.sends === 0 && now > sendDeadline(operation, timings)) return undefined;
  if (!mayLeave(operation)) return undefined;
  // Nor may one that looks at a clock that is ahead send before the grace is over.
  if (now < (startsAt(operation) ?? Number.POSITIVE_INFINITY)) return undefined;
  return {
    ...operation,
    // What was let out once can't be cancelled any more, even if it comes back undone.
    ...(operation.graceMs === undefined ? {} : { graceShownMs: 0 }),
    execution: {
      ...execution,
      state: 'sending',
      sendId,
      sentAt: leavesAt,
      sends: execution.sends + 1,
      nextAt: leavesAt + timings.lookEveryMs,
    },
  };
}

/** The call written down as `sendId` did certainly not leave or do anything. */
export function notSent(operation: Operation, sendId: string, nextAt: number): Operation | undefined {
  const { execution } = operation;
  if (execution.state !== 'sending' || execution.sendId !== sendId) return undefined;
  return {
    ...operation,
    execution: { ...execution, state: 'requested', sends: execution.sends - 1, nextAt },
  };
}

/** The service took it. Its own word on the status is a first look, not the end. */
export function accepted(
  operation: Operation,
  sendId: string,
  answer: WriteAnswer,
  now: number,
  firstGapMs: { readonly onTheWay: number; readonly unseen: number },
): Operation | undefined {
  const { execution } = operation;
  if (execution.sendId !== sendId || (execution.state !== 'sending' && execution.state !== 'unsure'))
    return undefined;
  const seen: Seen | undefined = answer.status && { status: answer.status, word: answer.status, at: now };
  return {
    ...operation,
    execution: {
      ...execution,
      state: 'watching',
      acceptedAt: now,
      ...(answer.actionId === undefined ? {} : { actionId: answer.actionId }),
      // A sign that it does something is looked for soon.
      nextAt: now + (seen && isOnTheWay(seen) ? firstGapMs.onTheWay : firstGapMs.unseen),
      polls: 0,
      ...(seen
        ? { seen, ...(isOnTheWay(seen) ? { progressSeen: true, progressWord: seen.status } : {}) }
        : {}),
    },
  };
}

/** The answer is lost: only looking can tell. */
export function lost(
  operation: Operation,
  sendId: string,
  answered: boolean,
  now: number,
): Operation | undefined {
  const { execution } = operation;
  if (execution.state !== 'sending' || execution.sendId !== sendId) return undefined;
  // One call without any answer may still be on its way, whatever is answered to a later one.
  const areAllAnswered = answered && (execution.sends === 1 || execution.answered);
  return {
    ...operation,
    execution: { ...execution, state: 'unsure', answered: areAllAnswered, nextAt: now, polls: 0 },
  };
}

/** There is an outcome; nothing more is asked of the service. */
export function ended(operation: Operation, outcome: Outcome): Operation | undefined {
  if (operation.execution.state === 'ended') return undefined;
  return { ...operation, execution: { ...operation.execution, state: 'ended' }, outcome };
}

/** What a call that brought no success makes of the operation. `now` and waits in ms. */
export function afterFault(
  operation: Operation,
  sendId: string,
  error: HostingError,
  now: number,
  timings: Timings,
): Operation | undefined {
  if (operation.execution.state !== 'sending' || operation.execution.sendId !== sendId) return undefined;
  if (error.outcome === 'unknown') return lost(operation, sendId, error.answered, now);
  if (error.retryable) {
    const waitMs = error.retryAfterMs ?? 1_000;
    if (now + waitMs < sendDeadline(operation, timings)) {
      return notSent(operation, sendId, now + waitMs);
    }
  }
  return givenUp(operation, error.fault, now, error.said);
}

/** What nobody did and nobody will ask for before a call leaves is cancelled; the rest failed. */
const NEVER_ASKED = new Set([
  'too-late',
  'line-too-long',
  'not-shown',
  'bot-refused',
  'no-right',
  'approver-no-right',
  'frozen',
  'not-checked',
]);

/**
 * The call is not made, or not once more. "Nothing was done" is only true where no earlier call of this
 * operation lost its answer.
 */
export function givenUp(
  operation: Operation,
  code: OutcomeCode,
  now: number,
  said?: string,
): Operation | undefined {
  const earlier =
    operation.execution.state === 'sending' ? operation.execution.sends - 1 : operation.execution.sends;
  if (earlier > 0) return ended(operation, { result: 'unknown', code: 'lost', at: now });
  const result = NEVER_ASKED.has(code) ? 'cancelled' : 'failed';
  return ended(operation, { result, code, ...(said ? { said } : {}), at: now });
}

/** Cancelled by a person, if no call has left yet. */
export function cancelled(operation: Operation, actor: Actor, now: number): Operation | undefined {
  if (!isInGrace(operation) && !isInLine(operation)) return undefined;
  const over = ended(operation, { result: 'cancelled', code: 'cancelled', at: now });
  return over && { ...over, cancelledBy: actor.userId };
}

/** The batch that it belongs to was stopped, by somebody or after failures, before any call of its own has left. */
export function takenBack(operation: Operation, by: string | undefined, now: number): Operation | undefined {
  const { state, sends } = operation.execution;
  if (state !== 'requested' || sends > 0) return undefined;
  const over = ended(operation, { result: 'cancelled', code: 'cancelled', at: now });
  return over && { ...over, ...(by === undefined ? {} : { cancelledBy: by }) };
}

/** Nobody could bring it to its end. Where the call may have left, what was asked may have been done. */
export function deadLettered(operation: Operation, now: number): Operation | undefined {
  if (operation.deadLetteredAt !== undefined) return undefined;
  const { state, sends } = operation.execution;
  const result = state === 'requested' && sends === 0 ? 'cancelled' : 'unknown';
  const over = ended(operation, { result, code: 'dead-lettered', at: now }) ?? operation;
  return { ...over, deadLetteredAt: now };
}

/** A status between two settled ones. */
export function isOnTheWay(seen: Seen): boolean {
  return ['starting', 'stopping', 'restarting', 'provisioning', 'deploying', 'deleting'].includes(
    seen.status,
  );
}
