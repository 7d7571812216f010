import { hashOf } from '../outbox/message-source.ts';
import { isInCancelWindow, isQueued } from './cancel-window.ts';
import type { Operation } from './operation.ts';

/**
 * What the card of an operation shows, as a short key of the record: cards of equal keys are equal, so that nothing is
 * rendered to find out whether an edit is due. Pure. A card that shows more of the record needs it here as well: a
 * property test compares the two.
 */
export function contentKey(operation: Operation): string {
  const {
    kind,
    subject,
    args,
    actor,
    owner,
    because,
    override,
    approvedBy,
    exceptFrom,
    requestedAt,
    dequeuedAt,
    usuallyMs,
    next,
    wayBack,
    canceledBy,
    deadLetteredAt,
  } = operation;
  const { execution, outcome, cancelWindowMs, cancelWindowEndsAt, queued } = operation;
  const { lastState } = execution;
  const isEnded = outcome !== undefined;
  const isStateShown = lastState !== undefined && (isEnded || lastState.status !== subject.status);
  return hashOf({
    record: [
      kind,
      subject,
      args,
      actor.userId,
      owner,
      because,
      override,
      approvedBy,
      exceptFrom,
      requestedAt,
      dequeuedAt,
      usuallyMs,
      next,
      wayBack,
      canceledBy,
      deadLetteredAt,
    ],
    cancelWindow: isInCancelWindow(operation) && [cancelWindowMs, cancelWindowEndsAt],
    queued: isQueued(operation) && [queued?.place, queued?.waitMs],
    onTheWay: !isEnded && [
      execution.state === 'unknown',
      execution.state === 'unknown' && [execution.answerStatus, execution.answerSaid],
      operation.boardId !== undefined && execution.state === 'requested',
      execution.slow,
      execution.isDown,
      execution.failedPolls >= MIN_FAILED_POLLS,
    ],
    lastState: isStateShown && [lastState.status, lastState.word, isEnded && lastState.health],
    end: isEnded && [
      outcome,
      execution.sends,
      execution.answerStatus,
      execution.answerSaid,
      execution.hasProgressed,
      execution.progressWord,
      execution.isDown,
      cancelWindowEndsAt,
      queued !== undefined && [execution.sentAt],
      operation.card.fault,
    ],
  });
}

/** From so many failed polls on, a card says so. */
export const MIN_FAILED_POLLS = 3;
