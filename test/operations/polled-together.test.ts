import { expect, it } from 'vitest';
import type { OperationKind } from '../../src/core/operations/kind.ts';
import type { Operation, ObservedState } from '../../src/core/operations/operation.ts';
import { createPoller } from '../../src/core/operations/poller.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import { NOW, gapOf, kindWith, operation, observed, timings } from './operation.ts';
import { fixedClock } from '../support/fixed-clock.ts';

const LATER = NOW + 10_000;
/** When a record that this process can't read is due again. */
const RESTED = NOW + 60_000;

/** A poller over operations of two kinds: those of one are seen in a list, those of the other each by a call of its own. */
function pollerOver(
  byAt: ReadonlyMap<Operation, number>,
  see: () => Promise<ObservedState> = async () => observed('restarting'),
): {
  poll: () => Promise<unknown>;
  polled: string[];
  changed: string[];
} {
  const polled: string[] = [];
  const changed: string[] = [];
  const all = [...byAt].toSorted(([, one], [, other]) => one - other);
  const kindFor = (kind: string): OperationKind =>
    kindWith({
      kind,
      observer: {
        ...(kind === 'listed' ? { isByList: true } : {}),
        observe: async (operations) => {
          polled.push(...operations.map(({ id }) => id));
          return see;
        },
      },
    });
  const [listed, byId] = [kindFor('listed'), kindFor('by id')];
  const run = createPoller({
    operations: {
      kindOf: ({ kind }) => (kind === 'listed' ? listed : byId),
      knows: () => true,
      change: async (id, step) => {
        changed.push(id);
        return step(all[0]?.[0] ?? operation({}));
      },
      dueAt: () => LATER,
    },
    store: {
      takeDuePolls: async (before) => {
        return {
          due: all.filter(([, at]) => at <= before).map(([one]) => one),
          nextAt: all.find(([, at]) => at > before)?.[1],
        };
      },
      postponePolls: () => Promise.resolve(),
    },
    attempts: { count: () => Promise.resolve(1), forget: () => Promise.resolve() },
    queue: { wake: () => Promise.resolve() },
    pollTimes: { gapOf, learn: () => Promise.resolve(), endedAfter: (_kind, ms) => ms },
    clock: fixedClock(() => NOW),
    timings,
    metrics: { operationsPolled: () => undefined },
    log: createLog('silent', []),
  });
  const poll = async (): Promise<unknown> => run(new AbortController().signal);
  return { poll, polled, changed };
}

function named(prefix: string, kind: string, count: number, over: Partial<Operation['execution']> = {}) {
  const execution = { state: 'accepted', polls: 5, acceptedAt: NOW - 60_000, ...over } as const;
  return Array.from({ length: count }, (_, index) => ({
    ...operation({ execution }),
    kind,
    id: `${prefix}-${index}`,
  }));
}

it('where a list is read for many, it serves all others that it shows, and no call is made for the rest', async () => {
  const { poll, polled } = pollerOver(
    new Map([
      ...named('due', 'listed', 60).map((one) => [one, NOW] as const),
      ...named('later', 'listed', 200).map((one) => [one, LATER] as const),
      ...named('sending', 'listed', 5, { state: 'sending' }).map((one) => [one, LATER] as const),
      ...named('lost', 'listed', 5, { state: 'unknown' }).map((one) => [one, LATER] as const),
      ...named('acting', 'listed', 5, { actionId: 'a-1' }).map((one) => [one, LATER] as const),
      ...named('young', 'listed', 5, { acceptedAt: NOW - 1_000 }).map((one) => [one, LATER] as const),
      ...named('resting', 'listed', 5).map((one) => [one, RESTED] as const),
      ...named('alone', 'by id', 30).map((one) => [one, LATER] as const),
    ]),
  );
  await poll();
  const count = (prefix: string): number => polled.filter((id) => id.startsWith(prefix)).length;
  expect([count('due'), count('later'), count('sending'), count('alone')]).toEqual([60, 200, 0, 0]);
  // A list may lag behind a call that was just taken, and the others take a call each.
  expect([count('lost'), count('acting'), count('young')]).toEqual([0, 0, 0]);
  expect(count('resting')).toBe(0);
});

it('a list that fails is no failed poll of those whose poll is not due', async () => {
  const { poll, changed } = pollerOver(
    new Map([
      ...named('due', 'listed', 60).map((one) => [one, NOW] as const),
      ...named('later', 'listed', 200).map((one) => [one, LATER] as const),
    ]),
    () =>
      Promise.reject(
        new HostingError('reading the list', {
          fault: 'unavailable',
          outcome: 'not-done',
          retryable: true,
        }),
      ),
  );
  await poll();
  expect(changed.filter((id) => id.startsWith('due'))).toHaveLength(60);
  expect(changed.filter((id) => id.startsWith('later'))).toEqual([]);
});

it('where few are due, or each takes a call of its own, the others wait for their time', async () => {
  for (const [kind, due] of [
    ['listed', 20],
    ['by id', 60],
  ] as const) {
    const { poll, polled } = pollerOver(
      new Map([
        ...named('due', kind, due).map((one) => [one, NOW] as const),
        ...named('later', 'listed', 200).map((one) => [one, LATER] as const),
      ]),
    );
    await poll();
    expect(polled).toHaveLength(due);
  }
});
