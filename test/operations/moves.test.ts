import { expect, it } from 'vitest';
import { NO_MEMORY } from '../../src/core/operations/memory.ts';
import { createMoves, type Moves, type Step } from '../../src/core/operations/moves.ts';
import { createMemoryStore, createShelf, recordOf, type Shelf } from './in-memory.ts';
import { operation } from './operation.ts';

const ID = operation({}).id;
const named =
  (because: string): Step =>
  (one) => ({ ...one, because });

function open(): { moves: Moves; shelf: Shelf } {
  const shelf = createShelf(operation({}));
  const store = createMemoryStore(shelf, () => Promise.resolve());
  const moves = createMoves({
    store,
    dueAt: () => 0,
    memoryOf: () => NO_MEMORY,
    ended: () => Promise.resolve(),
  });
  return { moves, shelf };
}

it('a deferred step is known to this process at once, and written down with the next step', async () => {
  const { moves, shelf } = open();
  moves.defer(ID, named('deferred'));
  expect((await moves.findLatest(ID))?.because).toBe('deferred');
  expect(shelf.history).toHaveLength(1);
  await moves.change(ID, (one) => ({ ...one, usuallyMs: 7 }));
  expect(recordOf(shelf, ID)).toMatchObject({ because: 'deferred', usuallyMs: 7 });
  expect(shelf.history).toHaveLength(2);
});

it('a deferred step is written down before the job rests, once', async () => {
  const { moves, shelf } = open();
  moves.defer(ID, named('deferred'));
  await moves.writeDeferred(ID);
  await moves.writeDeferred(ID);
  expect(recordOf(shelf, ID).because).toBe('deferred');
  expect(shelf.history).toHaveLength(2);
});

it('a deferred step that applies no more is forgotten, and nothing is written', async () => {
  const { moves, shelf } = open();
  moves.defer(ID, () => undefined);
  await moves.writeDeferred(ID);
  await moves.change(ID, named('later'));
  expect(shelf.history.map(({ because }) => because)).toEqual([undefined, 'later']);
});

it('what is deferred while a step is being written down is written with the one after it', async () => {
  const { moves, shelf } = open();
  const changing = moves.change(ID, named('first'));
  await Promise.resolve();
  moves.defer(ID, (one) => ({ ...one, usuallyMs: 7 }));
  await changing;
  await moves.change(ID, named('second'));
  expect(recordOf(shelf, ID)).toMatchObject({ because: 'second', usuallyMs: 7 });
});
