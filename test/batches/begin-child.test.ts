import { expect, it } from 'vitest';
import { newBatch, type NewBatch } from '../../src/core/batches/batch.ts';
import { beginChild } from '../../src/core/batches/begin-child.ts';
import type { Operations } from '../../src/core/operations/operations.ts';
import { newest } from '../../src/core/records/conditions.ts';
import type { PastStore } from '../../src/core/operations/past.ts';

const [YES, BEGUN, NOW] = [1_000, 1_500, 2_000];
const ASKED: NewBatch = {
  id: 'b',
  kind: 'instances.restart',
  actor: { userId: 'U0BOB000001', teamId: 'T1' },
  place: { channelId: 'C0OPS000001' },
  atOnce: 1,
  items: [{ operationId: 'o', subject: { id: '1', name: 'web-1', status: 'running' }, rule: 'everyone' }],
};

/** The moment is too short to be played: between the look at an instance and the beginning of its batch. */
it.each([
  ['is left where somebody else restarted it since the yes', YES + 1, { askedAt: YES }, 0],
  ['is begun where that was before the yes, and was shown with it', YES - 1, { askedAt: YES }, 1],
  ['is left where it was since the beginning of what nobody said yes to', BEGUN + 1, {}, 0],
])('an instance %s', async (_, at, asked, begun) => {
  let begins = 0;
  const past: Pick<PastStore, 'read'> = {
    read: async () => ({
      past: [{ kind: 'instances.restart', userId: 'U0ANA000001', at, result: 'done' }],
      asRead: newest('past', '', 'overtaken'),
    }),
  };
  const operations = {
    begin: async () => {
      begins++;
      return { result: 'begun' };
    },
  } as unknown as Operations; // it is asked for nothing else
  const batch = { ...newBatch({ ...ASKED, ...asked }, BEGUN), card: { channelId: 'C0OPS000001', ts: '1.1' } };
  const [item] = batch.items;
  if (!item) throw new Error('no item');
  const left = await beginChild({ operations, past, clock: { now: () => NOW } }, batch, item, {
    leavesDone: true,
  });
  expect(begins).toBe(begun);
  expect(left?.why === undefined).toBe(begun === 1);
});

it('an instance that somebody else restarts between the look at it and its beginning is left', async () => {
  const theirs = { kind: 'instances.restart', userId: 'U0ANA000001', at: YES + 1, result: 'done' } as const;
  const asRead = newest('past', '', 'overtaken');
  const answers = [
    { past: [], asRead },
    { past: [theirs], asRead },
  ];
  const conditions: unknown[] = [];
  const operations = {
    begin: async (_: unknown, pressed: { readonly asRead?: unknown }) => {
      conditions.push(pressed.asRead);
      return { result: 'overtaken' };
    },
  } as unknown as Operations; // it is asked for nothing else
  const batch = {
    ...newBatch({ ...ASKED, askedAt: YES }, BEGUN),
    card: { channelId: 'C0OPS000001', ts: '1.1' },
  };
  const [item] = batch.items;
  if (!item) throw new Error('no item');
  const past = { read: async () => answers.shift() ?? { past: [theirs], asRead } };
  const left = await beginChild({ operations, past, clock: { now: () => NOW } }, batch, item, {
    leavesDone: true,
  });
  expect(left?.why).toBeDefined();
  expect(conditions).toEqual([asRead]);
});
