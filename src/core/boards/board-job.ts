import { createDeliver, type Deliver } from '../outbox/deliver.ts';
import type { DeliverDeps } from '../outbox/message-source.ts';
import { lastStep } from '../outbox/outbox-message.ts';
import type { Operation } from '../operations/operation.ts';
import { type Operations, wakeOperation } from '../operations/operations.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import type { Posted } from '../../platform/slack/messenger.ts';
import { beginReply, type Board, type BoardStep, type BoardView, endReply, nextBoardSteps } from './board.ts';
import type { BoardStore } from './board-store.ts';
import type { Mark, Member } from './row.ts';
import { cardSource, membersOf, replySource, lastViewOf } from './message-sources.ts';
import { fittingReply } from './messages.ts';
import { joined, replied } from '../operations/message-order.ts';
import type { Timings } from '../timings.ts';
import type { Base } from '../base.ts';

/** What a batch hears of its board, whose id is the batch's own. */
export interface BatchHeaders {
  /** Its card stands there. */
  shown(batchId: string, at: Posted): Promise<void>;
  /** Slack takes no card of it. */
  notShown(batchId: string): Promise<void>;
  /** Its end was reported, or can't be. */
  reported(batchId: string): Promise<void>;
}

export interface BoardJobDeps extends Pick<Base, 'queue'>, DeliverDeps {
  readonly boardStore: BoardStore;
  readonly operations: Operations;
  readonly headers: BatchHeaders;
  /** The button that leads through all rows of a board. */
  readonly showBoardRoute: string;
}

/** Steps that move operations, which takes longer the more there are. */
const MOVES_OPERATIONS: ReadonlySet<BoardStep['do']> = new Set([
  'shown',
  'end shown',
  'fault',
  'reported',
  'give back',
]);

/** The job of one board: shows its rows, tells its operations that they are shown, and tells their ends together. */
export function createBoardJob(deps: BoardJobDeps): JobHandler {
  const { boardStore, clock, timings } = deps;
  const deliver = createDeliver(deps);
  /** When this process last read a board's rows: those of a busy board are read at a pace, not at each change. */
  const readAt = new Map<string, number>();
  /**
   * The board after a step; `last`: as the step read it, if it did. Rows that others set meanwhile are read, so that the next
   * one wakes a job once more.
   */
  const readAfter = async (
    id: string,
    step: BoardStep,
    last: BoardView | undefined,
  ): Promise<BoardView | undefined> => {
    // Another process may have moved the record meanwhile.
    const view = (MOVES_OPERATIONS.has(step.do) ? undefined : last) ?? (await boardStore.read(id));
    if (!view?.isUnread) return view;
    await boardStore.clearUnread(id);
    return boardStore.read(id);
  };

  return async (id, signal) => {
    const sinceReadMs = performance.now() - (readAt.get(id) ?? Number.NEGATIVE_INFINITY);
    if (sinceReadMs < timings.boardEveryMs) return Math.ceil(timings.boardEveryMs - sinceReadMs);
    if (signal.aborted) return undefined;
    // First, so that a row that is set from now on wakes this job once more.
    await boardStore.clearUnread(id);
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
      const taken = await take(deps, deliver, view, next.step);
      if (taken === 'closed') {
        readAt.delete(id);
        return undefined;
      }
      view = await readAfter(id, next.step, taken);
    }
    return undefined;
  };
}

/** Takes one step. Gives the board as the step read it last, if it did. */
async function take(
  deps: BoardJobDeps,
  deliver: Deliver,
  view: BoardView,
  step: BoardStep,
): Promise<BoardView | 'closed' | undefined> {
  const { boardStore, clock, timings } = deps;
  const { board } = view;
  const { reply } = board;
  const { channelId, ts, fault } = board.message;
  switch (step.do) {
    case 'card':
      return lastViewOf((onView) => deliver(cardSource(deps, view, onView), view, step.step));
    case 'reply':
      if (!reply) return undefined;
      return lastViewOf((onView) => deliver(replySource(boardStore, view, reply, onView), view, step.step));
    case 'shown':
      if (channelId === undefined || ts === undefined) throw new Error(`board ${board.id}: no address`);
      if (board.batchOf !== undefined) await deps.headers.shown(board.id, { channelId, ts });
      await moveAll(deps, view, step.members, 'shown', (one) => shownOn(one, board.id, { channelId, ts }));
      return undefined;
    case 'end shown':
      // Once its row is marked, nobody comes back to it.
      if (step.members.some(({ header }) => header)) await deps.headers.reported(board.id);
      await moveAll(deps, view, step.members, 'reported', (one) =>
        reportedOn(one, board.id, clock.now(), timings),
      );
      return undefined;
    case 'fault':
      // Nobody sees it, so that nothing of it may begin.
      if (board.batchOf !== undefined) await hearNotShown(deps, view, step.members);
      await moveAll(deps, view, step.members, 'fault', (one) => notShown(one, board.id, fault ?? 'refused'));
      return undefined;
    case 'begin reply': {
      const fitting = fittingReply(step.members.toSorted((one, other) => one.at - other.at));
      const ids = fitting.map(({ operationId }) => operationId);
      await boardStore.change(board.id, (now) => beginReply(now, board, ids, clock.now()));
      return undefined;
    }
    case 'reported': {
      if (!reply) return undefined;
      const named = membersOf(view, reply.operationIds).filter(({ marks }) => !marks.has('reported'));
      await moveAll(deps, view, named, 'reported', (one) => reportedOn(one, board.id, clock.now(), timings));
      if (board.batchOf !== undefined) await deps.headers.reported(board.id);
      if (lastStep(reply.message) === undefined) await end(deps, board, reply.message.key);
      return undefined;
    }
    case 'give back':
      await moveAll(deps, view, step.members, 'reported', (one) => leftBoard(one, board.id, clock.now()));
      if (board.reply) await end(deps, board, board.reply.message.key);
      return undefined;
    case 'close':
      return (await boardStore.close(view)) ? 'closed' : undefined;
  }
}

/** The header of a batch that never stood: its batch stops, and its rows go on as if it had been shown. */
async function hearNotShown(
  { headers, boardStore }: BoardJobDeps,
  { board }: BoardView,
  members: readonly Member[],
): Promise<void> {
  await headers.notShown(board.id);
  await boardStore.markRows(
    board.id,
    members.map(({ operationId }) => operationId),
    'shown',
  );
}

async function end({ boardStore, clock, timings }: BoardJobDeps, board: Board, key: string): Promise<void> {
  await boardStore.change(board.id, (now) => endReply(now, key, clock.now(), timings));
}

/**
 * Moves the operations of these rows, wakes those that have something to do then, and marks the rows: each only once the one before
 * is certain, since another Redis may take over in between, and nobody comes back to what is marked.
 */
async function moveAll(
  { operations, boardStore, queue, clock }: BoardJobDeps,
  { board }: BoardView,
  members: readonly Member[],
  mark: Mark,
  move: (operation: Operation) => Operation | undefined,
): Promise<void> {
  await Promise.all(
    members.map(async ({ operationId }) => {
      const after = await operations.change(operationId, move, { survives: true });
      if (!after || after.closedAt !== undefined || operations.dueAt(after) > clock.now()) return;
      // What could not be woken is found by the sweep.
      await wakeOperation(queue, after).catch(() => undefined);
    }),
  );
  await boardStore.markRows(
    board.id,
    members.map(({ operationId }) => operationId),
    mark,
  );
}

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
