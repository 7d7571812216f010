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

it('what is noted is seen by this process at once, and written down with the next step', async () => {
  const { moves, shelf } = open();
  moves.note(ID, named('noted'));
  expect((await moves.findLatest(ID))?.because).toBe('noted');
  expect(shelf.history).toHaveLength(1);
  await moves.change(ID, (one) => ({ ...one, usuallyMs: 7 }));
  expect(recordOf(shelf, ID)).toMatchObject({ because: 'noted', usuallyMs: 7 });
  expect(shelf.history).toHaveLength(2);
});

it('what is noted is written down before the job rests, once', async () => {
  const { moves, shelf } = open();
  moves.note(ID, named('noted'));
  await moves.writeNoted(ID);
  await moves.writeNoted(ID);
  expect(recordOf(shelf, ID).because).toBe('noted');
  expect(shelf.history).toHaveLength(2);
});

it('what is noted and applies no more is forgotten, and nothing is written', async () => {
  const { moves, shelf } = open();
  moves.note(ID, () => undefined);
  await moves.writeNoted(ID);
  await moves.change(ID, named('later'));
  expect(shelf.history.map(({ because }) => because)).toEqual([undefined, 'later']);
});

it('what is noted while a step is being written down is written with the one after it', async () => {
  const { moves, shelf } = open();
  const changing = moves.change(ID, named('first'));
  await Promise.resolve();
  moves.note(ID, (one) => ({ ...one, usuallyMs: 7 }));
  await changing;
  await moves.change(ID, named('second'));
  expect(recordOf(shelf, ID)).toMatchObject({ because: 'second', usuallyMs: 7 });
});
