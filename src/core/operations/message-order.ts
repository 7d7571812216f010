import { type OutboxStep, lastStep, type Move, nextStep, stepDueAt } from '../outbox/outbox-message.ts';
import type { Timings } from '../timings.ts';
import { contentKey as contentKeyOf } from './content-key.ts';
import { openCancelWindow } from './cancel-window.ts';
import { nextNotice } from './asker-notice.ts';
import { type Operation, audience, ownerOf } from './operation.ts';

/** In which order an operation's two messages are sent, as pure functions. */

export type Part = 'card' | 'reply';

/** The next thing to say, or undefined when nothing is to be said before something happens or time passes. */
export type NextMessage =
  | { readonly do: OutboxStep; readonly part: Part }
  /** Its row on a board is to say something else. */
  | { readonly do: 'set row' }
  | { readonly do: 'close' };

/** Card first, then its edits, then the reply, then the end: `now` decides what is due. */
export function nextMessage(
  operation: Operation,
  contentKey: string,
  now: number,
  timings: Timings,
): NextMessage | undefined {
  return messagesWithoutTime(operation, contentKey).find(
    (step) => messageDueAt(operation, step, contentKey, timings) <= now,
  );
}

/** When the next thing is to be said; infinity when that hangs on something else. */
export function nextMessageAt(operation: Operation, contentKey: string, timings: Timings): number {
  const steps = messagesWithoutTime(operation, contentKey);
  return Math.min(...steps.map((step) => messageDueAt(operation, step, contentKey, timings)));
}

/** What is to be said next, the most urgent first; of several, whichever is due first. */
function messagesWithoutTime(operation: Operation, contentKey: string): readonly NextMessage[] {
  const { card, reply } = operation;
  if (operation.closedAt !== undefined) return [];
  if (operation.boardId !== undefined) return onBoard(operation, contentKey);
  const ofCard = nextStep(card, contentKey);
  const edits: readonly NextMessage[] = ofCard ? [{ do: ofCard, part: 'card' }] : [];
  // Edits of a busy workspace wait for Slack's pace. The asker is not kept from the end by that.
  const isInLane = ofCard === 'edit' && card.lanePlace !== undefined;
  if (operation.execution.state !== 'ended' || (ofCard && !isInLane)) return edits;
  // A card that can't be edited any more must not keep the end from being reported. A reply is never edited.
  const ofReply = reply.state === 'sent' ? undefined : nextStep(reply, '');
  if (ofReply) return [...edits, { do: ofReply, part: 'reply' }];
  if (ofCard) return edits;
  for (const part of ['card', 'reply'] as const) {
    const last = lastStep(operation[part]);
    if (last) return [{ do: last, part }];
  }
  // Where no card stands, the asker hears of the end alone before it is closed.
  return nextNotice(operation) === undefined ? [{ do: 'close' }] : [];
}

/** The board speaks for it: its row is set, and it is through once its end was reported there. */
function onBoard({ card, reply }: Operation, contentKey: string): readonly NextMessage[] {
  if (card.shown !== contentKey) return [{ do: 'set row' }];
  return reply.state === 'sent' ? [{ do: 'close' }] : [];
}

function messageDueAt(operation: Operation, step: NextMessage, contentKey: string, timings: Timings): number {
  if (step.do === 'close') return 0;
  if (step.do === 'set row') return rowDueAt(operation);
  const dueAt = stepDueAt(operation[step.part], step.do, contentKey, timings);
  // A card that was posted a moment ago needs no edit for what every operation goes through.
  const isProgress = step.part === 'card' && step.do === 'edit' && !isAwaited(operation);
  const { postingAt = 0, yieldsUntil = 0 } = operation.card;
  return isProgress ? Math.max(dueAt, yieldsUntil, postingAt + timings.progressAfterMs) : dueAt;
}

/** A call that has just left is answered in a moment, and its row says that at once. */
const ANSWERED_WITHIN_MS = 2_000;

function rowDueAt({ execution, outcome }: Operation): number {
  const isOut = execution.state === 'sending' && outcome === undefined;
  return isOut ? (execution.sentAt ?? 0) + ANSWERED_WITHIN_MS : 0;
}

/** Whether its card is to show an end, how long something can be canceled, or that the service is down, and not only progress. */
export function isAwaited({ outcome, cancelWindowMs, execution }: Operation): boolean {
  return outcome !== undefined || cancelWindowMs !== undefined || execution.isDown === true;
}

/** Whether it may share a board: what has buttons for long, or is in trouble with Slack, has a card of its own. */
export function mayShare({ card, cancelWindowMs, wayBack, boardId }: Operation): boolean {
  const isNew = card.state === 'waiting' && card.tries === 0 && card.lanePlace === undefined;
  const hasButtons = cancelWindowMs !== undefined || wayBack !== undefined;
  return isNew && card.fallback === undefined && !hasButtons && boardId === undefined;
}

/** The operation on a board: its first row is set, and may even be shown, before the record says that it joined. */
export function joined(operation: Operation, boardId: string): Operation | undefined {
  if (operation.closedAt !== undefined) return undefined;
  return operation.boardId === boardId || mayShare(operation) ? { ...operation, boardId } : undefined;
}

/** Its row on a board says what `contentKey` stands for. */
export function rowSet(operation: Operation, boardId: string, contentKey: string): Operation | undefined {
  const there = joined(operation, boardId);
  return there && { ...there, card: { ...there.card, shown: contentKey } };
}

/** Moves one of the messages of an operation that is not closed. The cancel window begins when its card stands. */
export function moved(operation: Operation, part: Part, move: Move, now: number): Operation | undefined {
  const message = operation.closedAt === undefined ? move(operation[part]) : undefined;
  if (!message) return undefined;
  const next = { ...operation, [part]: message };
  const stands = part === 'card' && operation.card.state !== 'sent' && message.state === 'sent';
  return stands ? openCancelWindow(next, now) : next;
}

/**
 * The button of its card has begun `next`: a card that stands is edited once more to say so. One that was closed is open
 * again for that, and nothing else: its reply has been sent. Undefined where there is no card, or it says so already.
 */
export function buttonUsed(
  operation: Operation,
  next: NonNullable<Operation['next']>,
): Operation | undefined {
  if (operation.next !== undefined || operation.card.state !== 'sent') return undefined;
  return { ...reopened(operation), next };
}

/** Its way back is another now, as its card says from then on; undefined where it says so already. */
export function wayBackMoved(
  operation: Operation,
  wayBack: NonNullable<Operation['wayBack']>,
): Operation | undefined {
  if (JSON.stringify(operation.wayBack) === JSON.stringify(wayBack)) return undefined;
  return { ...(operation.card.state === 'sent' ? reopened(operation) : operation), wayBack };
}

function reopened({ closedAt, ...open }: Operation): Operation {
  return { ...open, ...(closedAt === undefined ? {} : { isReopened: true }) };
}

/** The end needs no reply any more; closed where nothing else is left. Undefined where one has left already. */
export function replied(operation: Operation, now: number, timings: Timings): Operation | undefined {
  if (operation.closedAt !== undefined || operation.reply.state !== 'waiting') return undefined;
  return closedIfThrough({ ...operation, reply: { ...operation.reply, state: 'sent' } }, now, timings);
}

/** Closed where nothing is left to say, so that this takes no step of its own; else as it is. */
export function closedIfThrough(operation: Operation, now: number, timings: Timings): Operation {
  if (operation.outcome === undefined) return operation;
  return through(operation, now, timings) ?? operation;
}

/** The operation closed; undefined where something is left to say, as where it was moved since it was read. */
export function through(operation: Operation, now: number, timings: Timings): Operation | undefined {
  const isThrough = nextMessage(operation, contentKeyOf(operation), now, timings)?.do === 'close';
  return isThrough ? closed(operation, now) : undefined;
}

/** Nothing is left to do or say. */
export function closed(operation: Operation, now: number): Operation | undefined {
  if (operation.closedAt !== undefined) return undefined;
  // What anybody could answer at is kept no longer than it is needed.
  const { responseUrl: _, ...rest } = operation;
  return { ...rest, closedAt: now };
}

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
