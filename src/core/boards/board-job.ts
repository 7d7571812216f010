import { createDeliver, type Deliver } from '../outbox/deliver.ts';
import type { DeliverDeps, MessageSource } from '../outbox/message-source.ts';
import { lastStep, type OutboxMessage } from '../outbox/outbox-message.ts';
import type { Operation } from '../operations/operation.ts';
import { OPERATION_JOB, type Operations } from '../operations/operations.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import type { Address, Posted } from '../../platform/slack/messenger.ts';
import {
  beginReply,
  type Board,
  boardContentKey,
  type BoardReply,
  type BoardStep,
  type BoardView,
  endReply,
  headAt,
  isAwaited,
  nextBoardSteps,
  REPLY_KEY,
} from './board.ts';
import type { BoardStore } from './board-store.ts';
import type { Mark, Member } from './line.ts';
import { boardMessage, fittingReply, replyMessage } from './messages.ts';
import { leftBoard, notShown, shownOn, toldOn } from './operation-moves.ts';

/** What a batch hears of its board, whose id is the batch's own. */
export interface Heads {
  /** Its card stands there. */
  shown(batchId: string, at: Posted): Promise<void>;
  /** Slack takes no card of it. */
  notShown(batchId: string): Promise<void>;
  /** Its end was told, or can't be. */
  told(batchId: string): Promise<void>;
}

export interface BoardJobDeps extends DeliverDeps {
  readonly boardStore: BoardStore;
  readonly operations: Operations;
  readonly heads: Heads;
  readonly queue: WorkQueue;
  /** The button that leads through all lines of a board. */
  readonly showBoardRoute: string;
}

/** Steps that move operations, which takes longer the more there are. */
const MOVES_OPERATIONS: ReadonlySet<BoardStep['do']> = new Set([
  'shown',
  'seen',
  'fault',
  'told',
  'give back',
]);

/** The job of one board: shows its lines, tells its operations that they are shown, and tells their ends together. */
export function createBoardJob(deps: BoardJobDeps): JobHandler {
  const { boardStore, clock, timings } = deps;
  const deliver = createDeliver(deps);
  /** When this process last read a board's lines: those of a busy board are read at a pace, not at each change. */
  const readAt = new Map<string, number>();
  /** The board after a step. What others put meanwhile is heard, so that what is put from now on wakes a job once more. */
  const readAfter = async (id: string, step: BoardStep): Promise<BoardView | undefined> => {
    // Another process may have moved the record meanwhile.
    const view = await (MOVES_OPERATIONS.has(step.do) ? boardStore.read(id) : boardStore.readOn(id));
    if (!view?.isUnread) return view;
    await boardStore.heard(id);
    return boardStore.readOn(id);
  };

  return async (id, signal) => {
    const sinceReadMs = performance.now() - (readAt.get(id) ?? Number.NEGATIVE_INFINITY);
    if (sinceReadMs < timings.boardEveryMs) return Math.ceil(timings.boardEveryMs - sinceReadMs);
    if (signal.aborted) return undefined;
    // First, so that what is put from now on wakes this job once more.
    await boardStore.heard(id);
    let view = await boardStore.read(id);
    while (!signal.aborted) {
      readAt.set(id, performance.now());
      const steps = view ? nextBoardSteps(view, timings) : [];
      const now = clock.now();
      const next = steps.find(({ dueAt }) => dueAt <= now);
      if (!view || !next) {
        if (!view || steps.length === 0) {
          readAt.delete(id);
          return undefined;
        }
        const dueAt = Math.ceil(Math.min(...steps.map((step) => step.dueAt)));
        await boardStore.rest(id, dueAt);
        return Math.max(1, dueAt - now);
      }
      const isClosed = await take(deps, deliver, view, next.step);
      if (isClosed) {
        readAt.delete(id);
        return undefined;
      }
      view = await readAfter(id, next.step);
    }
    return undefined;
  };
}

/** Takes one step. Tells whether the board is closed. */
async function take(
  deps: BoardJobDeps,
  deliver: Deliver,
  view: BoardView,
  step: BoardStep,
): Promise<boolean> {
  const { boardStore, clock, timings } = deps;
  const { board } = view;
  const { channelId, ts, fault } = board.message;
  switch (step.do) {
    case 'card':
      await deliver(cardSource(deps, view), view, step.step);
      return false;
    case 'reply':
      if (board.reply) await deliver(replySource(deps, view, board.reply), view, step.step);
      return false;
    case 'shown':
      if (channelId === undefined || ts === undefined) throw new Error(`board ${board.id}: no address`);
      if (board.batchOf !== undefined) await deps.heads.shown(board.id, { channelId, ts });
      await moveAll(deps, view, step.members, 'shown', (one) => shownOn(one, board.id, { channelId, ts }));
      return false;
    case 'seen':
      await moveAll(deps, view, step.members, 'told', (one) => toldOn(one, board.id, clock.now(), timings));
      return false;
    case 'fault':
      // Nobody sees it, so that nothing of it may begin.
      if (board.batchOf !== undefined) await hearNotShown(deps, view, step.members);
      await moveAll(deps, view, step.members, 'fault', (one) => notShown(one, board.id, fault ?? 'refused'));
      return false;
    case 'begin reply': {
      const fitting = fittingReply(step.members.toSorted((one, other) => one.at - other.at));
      const ids = fitting.map(({ operationId }) => operationId);
      await boardStore.change(board.id, (now) => beginReply(now, board, ids, clock.now()));
      return false;
    }
    case 'told': {
      const { reply } = board;
      if (!reply) return false;
      const named = membersOf(view, reply.operationIds).filter(({ marks }) => !marks.has('told'));
      await moveAll(deps, view, named, 'told', (one) => toldOn(one, board.id, clock.now(), timings));
      if (board.batchOf !== undefined) await deps.heads.told(board.id);
      if (lastStep(reply.message) === undefined) await end(deps, board, reply.message.key);
      return false;
    }
    case 'give back':
      await moveAll(deps, view, step.members, 'told', (one) => leftBoard(one, board.id, clock.now()));
      if (board.reply) await end(deps, board, board.reply.message.key);
      return false;
    case 'close':
      return boardStore.close(view);
  }
}

/** The head of a batch that never stood: its batch stops, and its lines go on as if it had been seen. */
async function hearNotShown(
  { heads, boardStore }: BoardJobDeps,
  { board }: BoardView,
  members: readonly Member[],
): Promise<void> {
  await heads.notShown(board.id);
  await boardStore.mark(
    board.id,
    members.map(({ operationId }) => operationId),
    'shown',
  );
}

async function end({ boardStore, clock, timings }: BoardJobDeps, board: Board, key: string): Promise<void> {
  await boardStore.change(board.id, (now) => endReply(now, key, clock.now(), timings));
}

/** Moves the operations of these lines, wakes those that have something to do then, and notes that it is done. */
async function moveAll(
  { operations, boardStore, queue, clock }: BoardJobDeps,
  { board }: BoardView,
  members: readonly Member[],
  mark: Mark,
  move: (operation: Operation) => Operation | undefined,
): Promise<void> {
  await Promise.all(
    members.map(async ({ operationId }) => {
      const after = await operations.change(operationId, move);
      const isDue = after?.closedAt === undefined && after && operations.dueAt(after) <= clock.now();
      // What could not be woken is found by the sweep.
      if (isDue) await queue.wake(OPERATION_JOB, operationId).catch(() => undefined);
    }),
  );
  await boardStore.mark(
    board.id,
    members.map(({ operationId }) => operationId),
    mark,
  );
}

function membersOf({ members }: BoardView, operationIds: readonly string[]): readonly Member[] {
  const byId = new Map(members.map((member) => [member.operationId, member]));
  return operationIds.flatMap((id) => byId.get(id) ?? []);
}

/** A message of the board's record, whatever its lines say by the time that it moves. */
function source(
  { boardStore }: BoardJobDeps,
  view: BoardView,
  part: {
    readonly read: (board: Board) => OutboxMessage | undefined;
    readonly write: (board: Board, message: OutboxMessage) => Board;
  },
): Pick<MessageSource<BoardView>, 'of' | 'fallbacksOf' | 'change'> {
  const { id } = view.board;
  return {
    of: { board: id },
    // Where Slack takes it no more, its operations speak for themselves, to each asker alone if need be. A batch has one asker.
    fallbacksOf: ({ board: { batchOf } }) => (batchOf === undefined ? [] : [batchOf]),
    change: async (move) => {
      const after = await boardStore.change(id, (board) => {
        const message = part.read(board);
        const moved = message && move(message, { ...view, board });
        return moved && part.write(board, moved);
      });
      // A process that slept must not put old lines over newer ones.
      return after && boardStore.refresh({ ...view, board: after });
    },
  };
}

function cardSource(deps: BoardJobDeps, view: BoardView): MessageSource<BoardView> {
  return {
    ...source(deps, view, {
      read: ({ message }) => message,
      write: (board, message) => ({ ...board, message }),
    }),
    name: 'board',
    messageOf: ({ board }) => board.message,
    contentOf: ({ board, members }) => boardMessage(board.id, members, deps.showBoardRoute),
    contentKeyOf: boardContentKey,
    addressOf: ({ board: { place, message } }) =>
      message.fallback === undefined ? place : { channelId: message.fallback },
    sinceOf: ({ board }) => board.since,
    isBetterTwice: true,
    isAwaited,
    // Its lines are read again as the edit is about to leave.
    isToWait: ({ members }) => headAt(members) > deps.clock.now(),
  };
}

function replySource(deps: BoardJobDeps, view: BoardView, reply: BoardReply): MessageSource<BoardView> {
  const { key } = reply.message;
  const ofBoard = ({ reply: now }: Board): BoardReply => (now?.message.key === key ? now : reply);
  return {
    ...source(deps, view, {
      read: (board) => (board.reply?.message.key === key ? board.reply.message : undefined),
      write: (board, message) => ({ ...board, reply: { ...ofBoard(board), message } }),
    }),
    name: 'reply',
    messageOf: ({ board }) => ofBoard(board).message,
    contentOf: () => replyMessage(membersOf(view, reply.operationIds)),
    contentKeyOf: () => REPLY_KEY,
    addressOf: ({ board }) => {
      const { place, message } = board;
      const { fallback } = ofBoard(board).message;
      if (fallback !== undefined) return { channelId: fallback };
      return {
        channelId: message.channelId ?? place.channelId,
        ...threadOf(message.fallback === undefined ? (place.threadTs ?? message.ts) : message.ts),
      };
    },
    sinceOf: () => reply.since,
    // Nobody is called twice.
    isBetterTwice: false,
  };
}

function threadOf(threadTs: string | undefined): Pick<Address, 'threadTs'> {
  return threadTs === undefined ? {} : { threadTs };
}
