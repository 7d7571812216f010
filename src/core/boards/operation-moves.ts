import { closedIfThrough } from '../operations/message-order.ts';
import type { Operation } from '../operations/operation.ts';
import type { Posted } from '../../platform/slack/messenger.ts';
import type { Timings } from '../timings.ts';

/** How a board moves the records of its operations, as pure functions. Undefined where it does not apply. */

/** The line stands in Slack, so that its call may leave. */
export function shownOn(operation: Operation, { channelId, ts }: Posted): Operation | undefined {
  if (operation.boardId === undefined || operation.card.state === 'sent') return undefined;
  const { fault: _, ...card } = operation.card;
  return { ...operation, card: { ...card, state: 'sent', channelId, ts } };
}

/** Slack doesn't take the board: its asker can be answered alone. */
export function notShown(operation: Operation, fault: string): Operation | undefined {
  const { card } = operation;
  if (operation.boardId === undefined || card.state === 'sent' || card.fault !== undefined) return undefined;
  return { ...operation, card: { ...card, fault } };
}

/** Its end was told in a reply of the board; closed where nothing else is left. */
export function toldOn(operation: Operation, now: number, timings: Timings): Operation | undefined {
  if (operation.boardId === undefined || operation.reply.state === 'sent') return undefined;
  return closedIfThrough({ ...operation, reply: { ...operation.reply, state: 'sent' } }, now, timings);
}

/** The board can say no more: the operation speaks for itself again, where it has not been told. */
export function leftBoard(operation: Operation, now: number): Operation | undefined {
  if (operation.boardId === undefined) return undefined;
  const { boardId: _, ...alone } = operation;
  const { card } = operation;
  // What stood on the board can't be edited any more; what never stood goes out as a card of its own.
  return {
    ...alone,
    card: card.state === 'sent' ? { ...card, state: 'dead-lettered' } : { ...card, tries: 1, nextAt: now },
  };
}
