import { audience, type Operation, ownerOf } from './operation.ts';

/** An end that somebody is told of. */
interface End {
  /** Unix ms. */
  readonly requestedAt: number;
  readonly endedAt: number;
  /** Whether it ended as its asker wanted it to, so that nothing is left for them to do. */
  readonly isAsWanted: boolean;
  /** It was begun where its asker did not look on, as by a schedule or by somebody's approval, or handed over since. */
  readonly isUnattended: boolean;
}

/**
 * Whether the asker of something is mentioned at its end: an edit of its card notifies nobody, so who may have stopped looking is.
 * `mentionAfterMs`: for so long they look on. Pure.
 */
export function isAskerMentioned(end: End, mentionAfterMs: number): boolean {
  const isLong = end.endedAt - end.requestedAt >= mentionAfterMs;
  return isLong || !end.isAsWanted || end.isUnattended;
}

/**
 * Who is mentioned at the end of an operation: its asker where that is needed, and who follows it. Everybody, where its card
 * doesn't stand where it was asked for. Pure.
 */
export function mentionedAtEnd(operation: Operation, mentionAfterMs: number): readonly string[] {
  const { outcome, card, requestedAt, canceledBy, approvedBy, owner, followers } = operation;
  if (!outcome || card.state !== 'sent' || card.fallback !== undefined) return audience(operation);
  const end = {
    requestedAt,
    endedAt: outcome.at,
    isAsWanted: outcome.result === 'done' || canceledBy === ownerOf(operation),
    isUnattended: approvedBy !== undefined || owner !== undefined,
  };
  return isAskerMentioned(end, mentionAfterMs) ? audience(operation) : followers;
}
