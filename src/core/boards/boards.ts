import type { Operations } from '../operations/operations.ts';
import type { SharedMessages } from '../operations/post-messages.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { BoardStore } from './board-store.ts';
import { lineOf } from './line-of.ts';

export const BOARD_JOB = 'board';

export interface BoardsDeps {
  readonly boardStore: BoardStore;
  readonly operations: Pick<Operations, 'kindOf'>;
  readonly queue: WorkQueue;
  readonly clock: RedisClock;
  /** The button that takes an operation back of which nothing was asked yet. */
  readonly cancelRoute: string;
}

/** Boards as operations use them: a seat, and a line that says how far they are. */
export function createBoards({
  boardStore,
  operations,
  queue,
  clock,
  cancelRoute,
}: BoardsDeps): SharedMessages {
  return {
    seat: ({ id, place }) => boardStore.seat(id, place, clock.now()),
    put: async (boardId, operation) => {
      const kind = operation.deadLetteredAt === undefined ? operations.kindOf(operation) : undefined;
      const line = lineOf(operation, kind, cancelRoute);
      const isAwaited = operation.card.state !== 'sent' || operation.outcome !== undefined;
      // Where this fails, the sweep wakes the board.
      if (await boardStore.put(boardId, operation.id, line, isAwaited))
        await queue.wake(BOARD_JOB, boardId).catch(() => undefined);
    },
  };
}
