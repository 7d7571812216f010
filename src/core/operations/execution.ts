import { type HostingError, isDown, isOutOfCalls } from '../../platform/hosting/hosting-error.ts';
import type { Actor } from '../../platform/slack/ids.ts';
import type { WriteAnswer } from '../../platform/hosting/service.ts';
import type { Timings } from '../timings.ts';
import { isInCancelWindow, isQueued, sendDeadline, mayLeave, startsAt } from './cancel-window.ts';
import type { Operation, Outcome, ObservedState } from './operation.ts';
import type { OutcomeCode } from '../outcome-words.ts';

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
  // A process that waited too long for a call must not send after all.
  if (execution.sends === 0 && now > sendDeadline(operation, timings)) return undefined;
  if (!mayLeave(operation)) return undefined;
  // Nor may a process whose clock is ahead send before the cancel window is over.
  if (now < (startsAt(operation) ?? Number.POSITIVE_INFINITY)) return undefined;
  return {
    ...operation,
    // What was let out once can't be canceled any more, even if it comes back undone.
    ...(operation.cancelWindowMs === undefined ? {} : { isCancelWindowOver: true }),
    execution: {
      ...execution,
      state: 'sending',
      sendId,
      sentAt: leavesAt,
      sends: execution.sends + 1,
      nextAt: leavesAt + timings.pollEveryMs,
    },
  };
}

const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * How long the call of an operation is put off the next time, in ms: each time twice as long, up to a bound, and no shorter
 * than the service asked. Spread, so that those which were refused together don't come back together.
 */
export function pauseOf({ id, execution: { putOffs = 0 } }: Operation, askedMs = 0): number {
  const spread = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 500, putOffs) / 1_000;
  const pauseMs = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** Math.min(putOffs, 10));
  return Math.max(askedMs, Math.round(pauseMs * (1 + spread)));
}

/** The same operation, whose call is put off once more. */
export function putOff(operation: Operation, nextAt: number): Operation {
  const { putOffs = 0 } = operation.execution;
  return { ...operation, execution: { ...operation.execution, putOffs: putOffs + 1, nextAt } };
}

/** The execution after the service was asked: whether it was down, which its card says at once. `error`: undefined where it answered. */
export function heard(
  execution: Operation['execution'],
  error: HostingError | undefined,
): Operation['execution'] {
  // Where nobody was asked, nothing new is known.
  if (isOutOfCalls(error)) return execution;
  const { isDown: _, ...rest } = execution;
  return isDown(error) ? { ...rest, isDown: true } : rest;
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

/** The service took it. Its own word on the status is a first poll, and no end. */
export function accepted(
  operation: Operation,
  sendId: string,
  answer: WriteAnswer,
  now: number,
  firstGapMs: { readonly onTheWay: number; readonly unseen: number },
): Operation | undefined {
  const { execution } = operation;
  if (execution.sendId !== sendId || (execution.state !== 'sending' && execution.state !== 'unknown'))
    return undefined;
  const observed: ObservedState | undefined = answer.status && {
    status: answer.status,
    word: answer.status,
    at: now,
  };
  return {
    ...operation,
    execution: {
      ...heard(execution, undefined),
      state: 'accepted',
      acceptedAt: now,
      ...(answer.actionId === undefined ? {} : { actionId: answer.actionId }),
      // A sign that it does something is polled for soon.
      nextAt: now + (observed && isOnTheWay(observed) ? firstGapMs.onTheWay : firstGapMs.unseen),
      polls: 0,
      ...(observed
        ? {
            lastState: observed,
            ...(isOnTheWay(observed) ? { hasProgressed: true, progressWord: observed.status } : {}),
          }
        : {}),
    },
  };
}

/** The answer is lost, or says neither yes nor no: only a poll can tell. `answer`: what there was of it. */
export function answerUnknown(
  operation: Operation,
  sendId: string,
  answer: Pick<HostingError, 'status' | 'said'> | undefined,
  now: number,
): Operation | undefined {
  const { answerStatus: _, answerSaid: __, ...execution } = operation.execution;
  if (execution.state !== 'sending' || execution.sendId !== sendId) return undefined;
  const { status, said } = answer ?? {};
  return {
    ...operation,
    execution: {
      ...execution,
      state: 'unknown',
      nextAt: now,
      polls: 0,
      ...(status === undefined ? {} : { answerStatus: status }),
      ...(said === undefined ? {} : { answerSaid: said }),
    },
  };
}

/**
 * What this process knew, where Redis has lost it: another process may have known more, and may have made the call that
 * was not made here.
 */
export function afterLoss(operation: Operation): Operation {
  const { execution, requestedAt } = operation;
  const { state, sends, sendId = 'lost', sentAt = requestedAt } = execution;
  if (state !== 'requested' && state !== 'sending') return operation;
  const called = state === 'requested' ? sends + 1 : sends;
  const sending = { ...execution, state: 'sending', sends: called, sendId, sentAt } as const;
  return answerUnknown({ ...operation, execution: sending }, sendId, undefined, sentAt) ?? operation;
}

/** Ends that are told by a poll, since the answer told nothing: what it said stands with them. */
const ANSWERED_OTHERWISE = new Set<OutcomeCode>(['no-answer', 'as-before', 'not-begun']);

/** There is an outcome; nothing more is asked of the service. */
export function ended(operation: Operation, outcome: Outcome): Operation | undefined {
  const { execution } = operation;
  if (execution.state === 'ended') return undefined;
  const { answerSaid } = execution;
  const isOpen = ANSWERED_OTHERWISE.has(outcome.code) && outcome.said === undefined;
  const said = isOpen && answerSaid !== undefined ? { said: answerSaid } : {};
  return { ...operation, execution: { ...execution, state: 'ended' }, outcome: { ...outcome, ...said } };
}

/** What a call that brought no success makes of the operation. `now` and waits in ms. */
export function afterFault(
  before: Operation,
  sendId: string,
  error: HostingError,
  now: number,
  timings: Timings,
): Operation | undefined {
  if (before.execution.state !== 'sending' || before.execution.sendId !== sendId) return undefined;
  const operation = { ...before, execution: heard(before.execution, error) };
  if (error.outcome === 'unknown') return answerUnknown(operation, sendId, error, now);
  // That a key isn't taken counts once it was said twice. What can be canceled before it is asked for is asked for once.
  const isDoubted =
    error.fault === 'unauthorized' &&
    operation.cancelWindowMs === undefined &&
    (operation.execution.putOffs ?? 0) === 0;
  if (error.retryable || isDoubted) {
    const nextAt = now + pauseOf(operation, error.retryAfterMs);
    const undone = nextAt < sendDeadline(operation, timings) ? notSent(operation, sendId, nextAt) : undefined;
    if (undone) return putOff(undone, nextAt);
  }
  return abandoned(operation, error.fault, now, error.said);
}

/** What nobody did and nobody will ask for before a call leaves is canceled; the rest failed. */
const NEVER_ASKED = new Set([
  'too-late',
  'queue-too-long',
  'not-shown',
  'bot-refused',
  'no-right',
  'approver-no-right',
  'frozen',
  'needs-approval',
  'not-checked',
]);

/**
 * The call is not made, or not once more. "Nothing was done" is only true where no earlier call of this
 * operation lost its answer.
 */
export function abandoned(
  operation: Operation,
  code: OutcomeCode,
  now: number,
  said?: string,
): Operation | undefined {
  const earlier =
    operation.execution.state === 'sending' ? operation.execution.sends - 1 : operation.execution.sends;
  if (earlier > 0) return ended(operation, { result: 'unknown', code: 'no-answer', at: now });
  const result = NEVER_ASKED.has(code) ? 'canceled' : 'failed';
  return ended(operation, { result, code, ...(said ? { said } : {}), at: now });
}

/** Canceled by a person, if no call has left yet. */
export function canceled(operation: Operation, actor: Actor, now: number): Operation | undefined {
  if (!isInCancelWindow(operation) && !isQueued(operation)) return undefined;
  const over = ended(operation, { result: 'canceled', code: 'canceled', at: now });
  return over && { ...over, canceledBy: actor.userId };
}

/** The batch that it belongs to was stopped, by somebody or after failures, before any call of its own has left. */
export function takenBack(operation: Operation, by: string | undefined, now: number): Operation | undefined {
  const { state, sends } = operation.execution;
  if (state !== 'requested' || sends > 0) return undefined;
  const over = ended(operation, { result: 'canceled', code: 'canceled', at: now });
  return over && { ...over, ...(by === undefined ? {} : { canceledBy: by }) };
}

/** Nobody could bring it to its end. Where the call may have left, what was asked may have been done. */
export function deadLettered(operation: Operation, now: number): Operation | undefined {
  if (operation.deadLetteredAt !== undefined) return undefined;
  const { state, sends } = operation.execution;
  const result = state === 'requested' && sends === 0 ? 'canceled' : 'unknown';
  const over = ended(operation, { result, code: 'dead-lettered', at: now }) ?? operation;
  return { ...over, deadLetteredAt: now };
}

/** A status between two settled ones. */
export function isOnTheWay(observed: ObservedState): boolean {
  return ['starting', 'stopping', 'restarting', 'provisioning', 'deploying', 'deleting'].includes(
    observed.status,
  );
}
