import { z } from 'zod';
import { placeSchema } from '../../platform/slack/ids.ts';
import type { Timings } from '../timings.ts';
import {
  lastStep,
  newOutboxMessage,
  nextStep,
  outboxMessageSchema,
  type OutboxStep,
  stepDueAt,
} from '../outbox/outbox-message.ts';
import { isFinal, type Member } from './row.ts';

/** Where only progress has to be shown, a board is edited so many readings of its rows later … */
const PROGRESS_READINGS = 32;
/** … it is replied to so many apart, for all who are due … */
const REPLY_READINGS = 4;
/** … and joined for so many after all are through. */
const IDLE_READINGS = 120;

/** A reply under way, and whose ends it tells. `since`: when it was begun, Unix ms. */
const replySchema = z.object({
  message: outboxMessageSchema,
  operationIds: z.array(z.string()),
  since: z.number(),
});
export type BoardReply = z.infer<typeof replySchema>;

/**
 * One message that several operations of a place share, and the replies that tell their ends, as they are written down.
 * Times are Redis' clock, Unix ms.
 */
export const boardSchema = z.object({
  id: z.string(),
  place: placeSchema,
  /** The person who asked for the batch that has this board to itself. */
  batchOf: z.string().optional(),
  since: z.number(),
  message: outboxMessageSchema,
  reply: replySchema.optional(),
  /** How many replies there were. */
  replies: z.number(),
  /** No reply goes out before. */
  nextReplyAt: z.number(),
});
export type Board = z.infer<typeof boardSchema>;

/** A board with its rows as they were at one moment. */
export interface BoardView {
  readonly board: Board;
  readonly members: readonly Member[];
  /** Counts what was put on the board. */
  readonly rev: number;
  /** The last of these that people wait for: a new row or an end. */
  readonly awaitedRev: number;
  readonly joined: number;
  readonly joinedAt: number;
  /** Whether something was put since its job heard last, so that who puts more wakes nobody. */
  readonly isUnread: boolean;
}

/** What is to be done for a board. */
export type BoardStep =
  | { readonly do: 'card'; readonly step: OutboxStep }
  | { readonly do: 'reply'; readonly step: OutboxStep }
  /** The operations of these rows hear that they stand in Slack, or that Slack doesn't take them. */
  | { readonly do: 'shown' | 'fault'; readonly members: readonly Member[] }
  /** These ends stand on the board, and nobody needs to be told of them besides. */
  | { readonly do: 'end shown'; readonly members: readonly Member[] }
  | { readonly do: 'begin reply'; readonly members: readonly Member[] }
  /** The reply under way stands: the operations that it names are through. */
  | { readonly do: 'reported' }
  /** Slack takes the board, or this reply, no more: these operations speak for themselves. */
  | { readonly do: 'give back'; readonly members: readonly Member[] }
  | { readonly do: 'close' };

export interface NextBoardStep {
  readonly step: BoardStep;
  /** Unix ms. */
  readonly dueAt: number;
}

/** `batchOf`: who asked for the batch that has it to itself. */
export function newBoard(id: string, place: Board['place'], now: number, batchOf?: string): Board {
  return {
    id,
    place,
    batchOf,
    since: now,
    message: newOutboxMessage(`board-${id}`, now),
    replies: 0,
    nextReplyAt: now,
  };
}

/** What the board shows, as a key. */
export function boardContentKey({ rev }: Pick<BoardView, 'rev'>): string {
  return String(rev);
}

/** Whether it is to show something that people wait for, and not only progress. */
export function isAwaited({ board, awaitedRev }: BoardView): boolean {
  return awaitedRev > shownRev(board);
}

function shownRev({ message, batchOf }: Board): number {
  // The operations of a batch go on and are closed even where its card can't be edited any more.
  if (message.state === 'dead-lettered' && batchOf !== undefined) return Number.POSITIVE_INFINITY;
  return message.state === 'sent' ? Number(message.shown ?? 0) : 0;
}

/** The steps that are left, the most urgent first; each may be due later. Pure. */
export function nextBoardSteps(view: BoardView, timings: Timings): readonly NextBoardStep[] {
  const { board, members } = view;
  if (board.message.state === 'dead-lettered' && board.batchOf === undefined) {
    const left = members.filter(({ marks }) => !marks.has('reported'));
    return [{ step: left.length > 0 ? { do: 'give back', members: left } : { do: 'close' }, dueAt: 0 }];
  }
  const steps = [...marking(view), ...ofCard(view, timings), ...ofReplies(view, timings)];
  const last = lastStep(board.message);
  if (last) {
    const dueAt = stepDueAt(board.message, last, boardContentKey(view), timings);
    steps.push({
      step: { do: 'card', step: last },
      dueAt: last === 'edit' ? Math.max(dueAt, headerAt(members)) : dueAt,
    });
  }
  if (steps.length > 0) return steps;
  // Everything that joined has been reported by now, or has not said anything yet.
  const isOver = members.every(({ marks }) => marks.has('reported'));
  return isOver
    ? [{ step: { do: 'close' }, dueAt: view.joinedAt + IDLE_READINGS * timings.boardEveryMs }]
    : [];
}

/** Whether an end needs no reply. A board that can't be edited any more, or stands elsewhere, doesn't say it. */
function isQuiet({ board }: BoardView, row: Member): boolean {
  const { state, fallback } = board.message;
  return row.isQuiet === true && state === 'sent' && fallback === undefined;
}

function marking(view: BoardView): NextBoardStep[] {
  const { board, members } = view;
  const { message } = board;
  const isRefusedHeader = message.state === 'dead-lettered' && message.ts === undefined;
  const shown = members.filter(
    ({ rev, marks, ofBatch }) => ofBatch === undefined && !marks.has('shown') && rev <= shownRev(board),
  );
  if (isRefusedHeader && shown.length > 0) return [{ step: { do: 'fault', members: shown }, dueAt: 0 }];
  if (shown.length > 0) return [{ step: { do: 'shown', members: shown }, dueAt: 0 }];
  const ended = members.filter(
    (one) =>
      (one.ofBatch !== undefined || isQuiet(view, one)) &&
      isFinal(one.state) &&
      !one.marks.has('reported') &&
      one.rev <= shownRev(board),
  );
  if (ended.length > 0) return [{ step: { do: 'end shown', members: ended }, dueAt: 0 }];
  const isRefused = message.fault !== undefined && message.state !== 'posting' && board.batchOf === undefined;
  const waiting = members.filter(({ marks }) => !marks.has('shown') && !marks.has('fault'));
  return isRefused && waiting.length > 0 ? [{ step: { do: 'fault', members: waiting }, dueAt: 0 }] : [];
}

function ofCard(view: BoardView, timings: Timings): NextBoardStep[] {
  const { board, members } = view;
  const key = boardContentKey(view);
  const step = members.length > 0 ? nextStep(board.message, key) : undefined;
  if (!step) return [];
  const dueAt = stepDueAt(board.message, step, key, timings);
  const isProgress = step === 'edit' && !isAwaited(view) && board.message.shown !== undefined;
  const { yieldsUntil = 0 } = board.message;
  const progressAt = Math.max(dueAt + PROGRESS_READINGS * timings.boardEveryMs, yieldsUntil);
  const editAt = isProgress ? progressAt : dueAt;
  return [
    { step: { do: 'card', step }, dueAt: step === 'edit' ? Math.max(editAt, headerAt(members)) : editAt },
  ];
}

/** The header of a batch says its end this soon after the last row has. */
const HEADER_WITHIN_MS = 5_000;

/** Until when (Unix ms) the header of a batch is waited for, all of whose rows have ended: an edit would show half of the end. */
export function headerAt(members: readonly Member[]): number {
  const header = members.find((one) => one.header);
  const rows = members.filter((one) => one !== header);
  const isToEnd = header && !isFinal(header.state) && rows.every(({ state }) => isFinal(state));
  return isToEnd ? Math.max(...rows.map(({ at }) => at)) + HEADER_WITHIN_MS : 0;
}

function ofReplies(view: BoardView, timings: Timings): NextBoardStep[] {
  const { board, members } = view;
  const { reply, nextReplyAt } = board;
  if (!reply) {
    const ended = members.filter(
      (one) =>
        one.reply !== undefined &&
        !isQuiet(view, one) &&
        // The end of a batch stands on its card before it is reported.
        (board.batchOf === undefined
          ? one.marks.has('shown') || isEditInLane(board)
          : one.rev <= shownRev(board)) &&
        !one.marks.has('reported'),
    );
    // A crowd of ends doesn't wait for others to join it.
    const dueAt = ended.length > MANY_ENDS ? 0 : nextReplyAt;
    return ended.length > 0 ? [{ step: { do: 'begin reply', members: ended }, dueAt }] : [];
  }
  const { message, operationIds } = reply;
  // Without a fault it may stand, so that telling it once more could call people twice.
  if (message.state === 'dead-lettered' && message.fault !== undefined && board.batchOf === undefined) {
    const named = members.filter(({ operationId }) => operationIds.includes(operationId));
    return [{ step: { do: 'give back', members: named }, dueAt: 0 }];
  }
  if (message.state === 'dead-lettered') return [{ step: { do: 'reported' }, dueAt: 0 }];
  const isThrough = members.every(
    ({ operationId, marks }) => marks.has('reported') || !operationIds.includes(operationId),
  );
  if (message.state === 'sent' && !isThrough) return [{ step: { do: 'reported' }, dueAt: 0 }];
  const step = message.state === 'sent' ? lastStep(message) : nextStep(message, REPLY_KEY);
  if (!step) return [{ step: { do: 'reported' }, dueAt: 0 }];
  return [{ step: { do: 'reply', step }, dueAt: stepDueAt(message, step, REPLY_KEY, timings) }];
}

/** Edits of a busy workspace wait for Slack's pace. Nobody is kept from an end by that: the thread takes it. */
function isEditInLane({ message }: Board): boolean {
  return message.state === 'sent' && message.lanePlace !== undefined;
}

/** More ends than this fill a reply. */
const MANY_ENDS = 30;
/** A reply is never edited. */
export const REPLY_KEY = '';

/**
 * A reply that tells the ends of `operationIds` is on its way. `before`: the board with which these ends were read; undefined
 * where a reply was begun since, which may have reported them.
 */
export function beginReply(
  board: Board,
  before: Pick<Board, 'replies'>,
  operationIds: readonly string[],
  now: number,
): Board | undefined {
  if (board.reply || board.replies !== before.replies) return undefined;
  const replies = board.replies + 1;
  const message = newOutboxMessage(`board-${board.id}-reply-${replies}`, now);
  return { ...board, replies, reply: { message, operationIds: [...operationIds], since: now } };
}

/** Whether no reply was begun or ended between two states of a board, so that the same ends are reported in both. Pure. */
export function isSameReply(one: Board, other: Board): boolean {
  return one.replies === other.replies && one.reply?.message.key === other.reply?.message.key;
}

/** The reply under way is through, sent or given up; the next keeps its distance. */
export function endReply(board: Board, key: string, now: number, timings: Timings): Board | undefined {
  if (board.reply?.message.key !== key) return undefined;
  const { reply: _, ...rest } = board;
  return { ...rest, nextReplyAt: now + REPLY_READINGS * timings.boardEveryMs };
}
