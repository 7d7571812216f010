import { expect, it } from 'vitest';
import type { BoardStore } from '../../src/core/boards/board-store.ts';
import type { Board, BoardView } from '../../src/core/boards/board.ts';
import { isFinal } from '../../src/core/boards/row.ts';
import { botMessages } from '../support/sandbox.ts';
import { instead } from '../support/instead.ts';
import { confirms, playFleet, previewOf } from './fleet.ts';

const isEnded = ({ members }: BoardView): boolean =>
  members.filter(({ header }) => !header).every(({ state }) => isFinal(state));
const hasEndedHeader = ({ members }: BoardView): boolean =>
  members.some(({ header, state }) => header !== undefined && isFinal(state));

/** Where an edit is about to show some ends, it waits until all rows have ended and their header says nothing of it yet. */
const untilHalfEnded = instead('boards', 'refresh', async (own, view, read) => {
  const store = own as BoardStore;
  const seen = view as BoardView;
  const before = read as Board;
  for (let tries = 0; tries < 200 && seen.members.some(({ state }) => isFinal(state)); tries += 1) {
    const now = await store.refresh(seen, before);
    if (hasEndedHeader(now)) return seen;
    if (isEnded(now)) return now;
    await new Promise((done) => setTimeout(done, 5));
  }
  return store.refresh(seen, before);
});

// It waits for what the last row and its header do apart, which no fixed moment tells.
it('a card of several never says that all is done above what says that they are being stopped', async () => {
  const sandbox = await playFleet(3, {
    faultPoints: untilHalfEnded,
    timings: { boardEveryMs: 0 },
  });
  const preview = await previewOf(sandbox, '/instances stop name:stg-* --at-once 1');
  await confirms(sandbox, preview, 'Stop 3');
  await sandbox.settled();
  const card = botMessages(sandbox).find((one) => sandbox.slack.read(one).includes('All 3 stopped.'));
  if (!card) throw new Error('no card says that all are stopped');
  const versions = [...card.edits.map((edit) => JSON.stringify(edit)), JSON.stringify(card.content)];
  const half = versions.filter((text) => text.includes('Stopping 3 instances') && text.includes('all done'));
  expect(half).toEqual([]);
});
