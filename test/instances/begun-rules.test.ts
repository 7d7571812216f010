import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Begun, BegunAction } from '../../src/platform/hosting/service.ts';
import { findBegun, windowOf } from '../../src/features/instances/observer.ts';
import { PURE_RUNS } from '../support/runs.ts';

const NONE: ReadonlySet<string> = new Set();
const action = (id: number, startedAt: number, does: BegunAction['does'] = 'restart'): BegunAction => ({
  id: String(id),
  does,
  startedAt,
  state: 'done',
});
const toSecond = (ms: number): number => Math.floor(ms / 1_000) * 1_000;

/** A call in the bot's time, a service whose clock is off, and a list that took its time. */
const world = fc.record({
  sentAt: fc.integer({ min: 1_000_000_000, max: 1_000_100_000 }),
  offMs: fc.integer({ min: -86_400_000, max: 86_400_000 }),
  wayMs: fc.integer({ min: 0, max: 12_000 }),
  waitedMs: fc.integer({ min: 0, max: 60_000 }),
  thereMs: fc.integer({ min: 0, max: 1_500 }),
  backMs: fc.integer({ min: 0, max: 1_500 }),
});

type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;

function listOf(
  { sentAt, offMs, waitedMs, thereMs, backMs }: World,
  actions: readonly BegunAction[],
): { begun: Begun; call: Parameters<typeof windowOf>[1] } {
  const listAskedAt = sentAt + waitedMs;
  const servedAt = toSecond(listAskedAt + thereMs + offMs);
  return {
    begun: { actions, hasMore: false, servedAt },
    call: { sentAt, listAskedAt, listReadAt: listAskedAt + thereMs + backMs },
  };
}

test('an action that the call began is found, however far the clock of the service is off', () => {
  fc.assert(
    fc.property(world, (one) => {
      const mine = action(2, toSecond(one.sentAt + one.wayMs + one.offMs));
      const { begun, call } = listOf(one, [mine, action(1, mine.startedAt, 'stop')]);
      const window = windowOf(begun, call);
      expect(window && findBegun(begun, 'restart', window, NONE)).toBe(mine);
    }),
    { numRuns: PURE_RUNS },
  );
});

test('an action that began well before the call was sent is never taken for it', () => {
  fc.assert(
    fc.property(world, fc.integer({ min: 15_000, max: 600_000 }), (one, beforeMs) => {
      const { begun, call } = listOf(one, [action(1, toSecond(one.sentAt - beforeMs + one.offMs))]);
      const window = windowOf(begun, call);
      expect(window && findBegun(begun, 'restart', window, NONE)).toBe('none');
    }),
    { numRuns: PURE_RUNS },
  );
});

test('what began before the call and lies in its window ended at most so long before it as the window reaches back', () => {
  fc.assert(
    fc.property(world, fc.integer({ min: 0, max: 30_000 }), (one, beforeMs) => {
      const startedAt = toSecond(one.sentAt - beforeMs + one.offMs);
      const { begun, call } = listOf(one, [action(1, startedAt)]);
      const window = windowOf(begun, call)!;
      if (startedAt > window.doubtfulFrom) expect(beforeMs).toBeLessThanOrEqual(window.earlierMs);
    }),
    { numRuns: PURE_RUNS },
  );
});

const call = { sentAt: 50_000, listAskedAt: 51_000, listReadAt: 51_100 };

describe('which action a lost call began is unknown', () => {
  const find = (begun: Begun, known = NONE): unknown => {
    const window = windowOf(begun, call);
    return window && findBegun(begun, 'restart', window, known);
  };

  test('where two of its kind began since', () => {
    const actions = [action(3, 52_000), action(2, 50_000)];
    expect(find({ actions, hasMore: false, servedAt: 51_000 })).toBeUndefined();
    // One of them is that of another operation of the bot.
    expect(find({ actions, hasMore: false, servedAt: 51_000 }, new Set(['3']))).toBe(actions[1]);
  });

  test('where one began a few seconds before the call, so that only a wrong clock can make it that of the call', () => {
    expect(find({ actions: [action(2, 45_000)], hasMore: false, servedAt: 51_000 })).toBeUndefined();
  });

  test('where the service does not say when it answered', () => {
    expect(find({ actions: [action(2, 50_000)], hasMore: false })).toBeUndefined();
  });

  test('where the list took long to come', () => {
    const begun = { actions: [action(2, 50_000)], hasMore: false, servedAt: 51_000 };
    expect(windowOf(begun, { ...call, listReadAt: call.listAskedAt + 3_001 })).toBeUndefined();
  });

  test.each([
    ['does not go back to the call', [action(3, 60_000), action(2, 55_000)]],
    ['begins with the oldest', [action(1, 10_000), action(2, 20_000)]],
    ['has no action', []],
  ])('where there are more and the page %s', (_what, actions) => {
    expect(find({ actions, hasMore: true, servedAt: 51_000 })).toBeUndefined();
  });
});

test('a page of the newest that goes back past the call is enough', () => {
  const begun = { actions: [action(3, 50_000, 'stop'), action(2, 20_000)], hasMore: true, servedAt: 51_000 };
  expect(findBegun(begun, 'restart', windowOf(begun, call)!, NONE)).toBe('none');
});

test.each([
  [20_000, 'none'],
  [55_000, undefined],
])(
  'events of a whole account that reach back to %i tell %s of an instance that has none',
  (reachesBackTo, found) => {
    const begun = { actions: [], hasMore: true, reachesBackTo, servedAt: 51_000 };
    expect(findBegun(begun, 'restart', windowOf(begun, call)!, NONE)).toBe(found);
  },
);
