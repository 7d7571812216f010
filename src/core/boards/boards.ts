import type { Operations } from '../operations/operations.ts';
import type { SharedMessages } from '../operations/post-messages.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { BoardStore } from './board-store.ts';
import type { Timings } from '../timings.ts';
import { mentionedAtEnd } from '../operations/mentioned.ts';
import type { NotifyChoices } from '../operations/notify-choices.ts';
import { ownerOf } from '../operations/operation.ts';
import { rowOf } from './row-of.ts';

export const BOARD_JOB = 'board';

export interface BoardsDeps {
  readonly boardStore: BoardStore;
  readonly operations: Pick<Operations, 'kindOf'>;
  readonly queue: WorkQueue;
  readonly notifyChoices: Pick<NotifyChoices, 'find'>;
  readonly clock: RedisClock;
  readonly timings: Pick<Timings, 'mentionAfterMs'>;
  /** The button that takes an operation back of which nothing was asked yet. */
  readonly cancelRoute: string;
}

/** Boards as operations use them: each is assigned one, or none, and sets its row there. */
export function createBoards({
  boardStore,
  operations,
  queue,
  notifyChoices,
  clock,
  timings,
  cancelRoute,
}: BoardsDeps): SharedMessages {
  return {
    assign: ({ id, place }) => boardStore.assign(id, place, clock.now()),
    setRow: async (boardId, operation) => {
      const kind = operation.deadLetteredAt === undefined ? operations.kindOf(operation) : undefined;
      const isTold = operation.outcome !== undefined && operation.batchId === undefined;
      const choice = isTold ? await notifyChoices.find(ownerOf(operation)) : 'when-needed';
      // A row is as good as a card.
      const asShown = { ...operation, card: { ...operation.card, state: 'sent' as const } };
      const mentioned = mentionedAtEnd(asShown, choice, timings.mentionAfterMs);
      const row = rowOf(operation, kind, cancelRoute, mentioned);
      const isAwaited = operation.card.state !== 'sent' || operation.outcome !== undefined;
      // Where this fails, the sweep wakes the board.
      if (await boardStore.setRow(boardId, operation.id, row, isAwaited))
        await queue.wake(BOARD_JOB, boardId).catch(() => undefined);
    },
  };
}
