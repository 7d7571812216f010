import { expect, it } from 'vitest';
import type { OperationKind } from '../../src/core/operations/kind.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import { createWatch } from '../../src/core/operations/watch.ts';
import { NOW, gapOf, operation, seen, timings } from './operation.ts';

const LATER = NOW + 60_000;

/** A watch over operations of two kinds: those of one are seen in a list, those of the other each by a call of its own. */
function watchOver(byAt: ReadonlyMap<Operation, number>): {
  look: () => Promise<unknown>;
  lookedAt: string[];
} {
  const lookedAt: string[] = [];
  const all = [...byAt].toSorted(([, one], [, other]) => one - other);
  const kindFor = (kind: string): OperationKind => ({
    kind,
    permission: 'instances:power',
    observer: {
      ...(kind === 'listed' ? { isByList: true } : {}),
      look: async (operations) => {
        lookedAt.push(...operations.map(({ id }) => id));
        return async () => seen('restarting');
      },
    },
    send: () => Promise.reject(new Error('nothing is sent')),
    judge: () => ({ next: 'look' }),
    judgeRefused: () => 'under way',
    card: () => ({ lines: [] }),
    ending: () => [],
    nextSteps: () => [],
    doing: 'restarting',
  });
  const [listed, byId] = [kindFor('listed'), kindFor('by id')];
  const watch = createWatch({
    operations: {
      kindOf: ({ kind }) => (kind === 'listed' ? listed : byId),
      knows: () => true,
      change: async (_id, step) => step(all[0]?.[0] ?? operation({})),
      dueAt: () => LATER,
    },
    store: {
      takeLooks: async (before) => ({
        due: all.filter(([, at]) => at <= before).map(([one]) => one),
        nextAt: all.find(([, at]) => at > before)?.[1],
      }),
      nextLookAt: async () => all[0]?.[1],
      putLooksOff: () => Promise.resolve(),
    },
    attempts: { count: () => Promise.resolve(1), forget: () => Promise.resolve() },
    queue: { wake: () => Promise.resolve() },
    lookTimes: { gapOf, learn: () => Promise.resolve(), endedAfter: (_kind, ms) => ms },
    clock: { now: () => NOW, isSet: () => true, look: () => Promise.resolve(), stop: () => undefined },
    timings,
    metrics: { operationsLookedAt: () => undefined },
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: () => undefined,
      limited: () => undefined,
    },
  });
  return { look: async () => watch('account', new AbortController().signal, 'here'), lookedAt };
}

function named(
  prefix: string,
  kind: string,
  count: number,
  state: Operation['execution']['state'] = 'watching',
) {
  return Array.from({ length: count }, (_, index) => ({
    ...operation({ execution: { state, polls: 5 } }),
    kind,
    id: `${prefix}-${index}`,
  }));
}

it('where a list is read for many, it serves all others that it shows, and no call is made for the rest', async () => {
  const { look, lookedAt } = watchOver(
    new Map([
      ...named('due', 'listed', 60).map((one) => [one, NOW] as const),
      ...named('later', 'listed', 200).map((one) => [one, LATER] as const),
      ...named('sending', 'listed', 5, 'sending').map((one) => [one, LATER] as const),
      ...named('alone', 'by id', 30).map((one) => [one, LATER] as const),
    ]),
  );
  await look();
  const count = (prefix: string): number => lookedAt.filter((id) => id.startsWith(prefix)).length;
  expect([count('due'), count('later'), count('sending'), count('alone')]).toEqual([60, 200, 0, 0]);
});

it('where few are due, or each takes a call of its own, the others wait for their time', async () => {
  for (const [kind, due] of [
    ['listed', 20],
    ['by id', 60],
  ] as const) {
    const { look, lookedAt } = watchOver(
      new Map([
        ...named('due', kind, due).map((one) => [one, NOW] as const),
        ...named('later', 'listed', 200).map((one) => [one, LATER] as const),
      ]),
    );
    await look();
    expect(lookedAt).toHaveLength(due);
  }
});
