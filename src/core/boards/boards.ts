import type { Operations } from '../operations/operations.ts';
import type { SharedMessages } from '../operations/post-messages.ts';
import { type BoardStore, BOARDS } from './board-store.ts';
import { mentionedAtEnd } from '../operations/mentioned.ts';
import { rowOf } from './row-of.ts';
import type { Parts } from '../parts/parts.ts';

/** Boards as operations use them: each is assigned one, or none, and sets its row there. */
export function createBoards({
  boardStore,
  operations,
  queue,
  clock,
  timings,
  cancelRoute,
}: Pick<Parts, 'clock' | 'queue' | 'timings' | 'cancelRoute'> & {
  readonly boardStore: BoardStore;
  readonly operations: Pick<Operations, 'kindOf'>;
}): SharedMessages {
  return {
    assign: ({ id, place }) => boardStore.assign(id, place, clock.now()),
    setRow: async (boardId, operation) => {
      const kind = operation.deadLetteredAt === undefined ? operations.kindOf(operation) : undefined;
      // A row is as good as a card.
      const asShown = { ...operation, card: { ...operation.card, state: 'sent' as const } };
      const mentioned = mentionedAtEnd(asShown, timings.mentionAfterMs);
      const row = rowOf(operation, kind, cancelRoute, mentioned);
      const isAwaited = operation.card.state !== 'sent' || operation.outcome !== undefined;
      // Where this fails, the sweep wakes the board.
      if (await boardStore.setRow(boardId, operation.id, row, isAwaited))
        await queue.wake(BOARDS.job, boardId).catch(() => undefined);
    },
  };
}
