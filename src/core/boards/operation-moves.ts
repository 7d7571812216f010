import { joined, replied } from '../operations/message-order.ts';
import type { Operation } from '../operations/operation.ts';
import type { Posted } from '../../platform/slack/messenger.ts';
import type { Timings } from '../timings.ts';

/** How the board `boardId` moves the records of its operations, as pure functions. Undefined where it does not apply. */

/** The row stands in Slack, so that its call may leave. */
export function shownOn(
  operation: Operation,
  boardId: string,
  { channelId, ts }: Posted,
): Operation | undefined {
  const there = joined(operation, boardId);
  if (!there || there.card.state === 'sent') return undefined;
  const { fault: _, ...card } = there.card;
  return { ...there, card: { ...card, state: 'sent', channelId, ts } };
}

/** Slack doesn't take the board: its asker can be answered alone. */
export function notShown(operation: Operation, boardId: string, fault: string): Operation | undefined {
  const there = joined(operation, boardId);
  if (!there || there.card.state === 'sent' || there.card.fault !== undefined) return undefined;
  return { ...there, card: { ...there.card, fault } };
}

/** Its end was reported in a reply of the board; closed where nothing else is left. */
export function reportedOn(
  operation: Operation,
  boardId: string,
  now: number,
  timings: Timings,
): Operation | undefined {
  const there = joined(operation, boardId);
  return there && replied(there, now, timings);
}

/** The board can say no more: the operation speaks for itself again, where it has not been reported. */
export function leftBoard(operation: Operation, boardId: string, now: number): Operation | undefined {
  const there = joined(operation, boardId);
  if (!there) return undefined;
  const { boardId: _, ...alone } = there;
  const { card } = there;
  // What stood on the board can't be edited any more; what never stood goes out as a card of its own.
  return {
    ...alone,
    card: card.state === 'sent' ? { ...card, state: 'dead-lettered' } : { ...card, tries: 1, nextAt: now },
  };
}
