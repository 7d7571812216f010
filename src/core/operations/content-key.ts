import { hashOf } from '../outbox/content-hash.ts';
import { isInCancelWindow, isInLine } from './cancel-window.ts';
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
    because,
    override,
    approvedBy,
    requestedAt,
    turnAt,
    usuallyMs,
    next,
    cancelledBy,
    deadLetteredAt,
  } = operation;
  const { execution, outcome, cancelWindowMs, cancelWindowEndsAt, line } = operation;
  const { seen } = execution;
  const isEnded = outcome !== undefined;
  const isSeen = seen !== undefined && (isEnded || seen.status !== subject.status);
  return hashOf({
    record: [
      kind,
      subject,
      args,
      actor.userId,
      because,
      override,
      approvedBy,
      requestedAt,
      turnAt,
      usuallyMs,
      next,
      cancelledBy,
      deadLetteredAt,
    ],
    cancelWindow: isInCancelWindow(operation) && [cancelWindowMs, cancelWindowEndsAt],
    line: isInLine(operation) && [line?.place, line?.waitMs],
    onTheWay: !isEnded && [
      execution.state === 'unsure',
      execution.state === 'unsure' && [execution.answerStatus, execution.answerSaid],
      operation.boardId !== undefined && execution.state === 'requested',
      execution.slow,
      execution.failedPolls >= MIN_BLIND_LOOKS,
    ],
    seen: isSeen && [seen.status, seen.word, isEnded && seen.health],
    end: isEnded && [
      outcome,
      execution.sends,
      execution.answerStatus,
      execution.answerSaid,
      execution.progressSeen,
      execution.progressWord,
      cancelWindowEndsAt,
      line !== undefined && [execution.sentAt],
      operation.card.fault,
    ],
  });
}

/** From so many looks on that saw nothing, a card says so. */
export const MIN_BLIND_LOOKS = 3;
