import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createDurations,
  createTimesStore,
  type Durations,
  percentiles,
  readTimes,
  timesText,
  historyOf,
  createPastStore,
  readPast,
} from '../../src/core/operations/past.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import { operationKeys } from '../../src/core/operations/keys.ts';
import type { RedisConnection } from '../../src/platform/redis/connection.ts';
import { NOW, operation } from './operation.ts';
import { runs } from '../support/runs.ts';

test.each([
  [[], {}],
  [[1], {}],
  [[1, 2], {}],
  [[3, 1, 2], { usuallyMs: 2, longMs: 3 }],
  [[10, 20, 30, 40], { usuallyMs: 20, longMs: 40 }],
  [Array.from({ length: 100 }, (_, index) => index + 1), { usuallyMs: 50, longMs: 95 }],
  [[Number.NaN, 1, Infinity, 2], {}],
  [[Number.NaN, 3, 1, Infinity, 2], { usuallyMs: 2, longMs: 3 }],
  [[9, 10, 100], { usuallyMs: 10, longMs: 100 }],
])('of %j: %j', (samples, expected) => expect(percentiles(samples)).toEqual(expected));

test('the median and what is longer than usual are samples themselves, and in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000_000), { minLength: 3, maxLength: 60 }), (samples) => {
      const given = [...samples];
      const { usuallyMs = -1, longMs = -1 } = percentiles(samples);
      expect(samples).toEqual(given);
      const below = samples.filter((one) => one <= usuallyMs).length;
      return (
        samples.includes(usuallyMs) &&
        samples.includes(longMs) &&
        usuallyMs <= longMs &&
        below >= samples.length / 2 &&
        samples.filter((one) => one <= longMs).length >= 0.95 * samples.length
      );
    }),
    { numRuns: runs(5_000) },
  );
});

function durationsIn(redis: RedisConnection): Durations {
  return createDurations(createPastStore(redis), createTimesStore(redis));
}

describe('where Redis does not answer', () => {
  const down = {
    lrange: () => Promise.reject(new Error('down')),
  } as unknown as RedisConnection;

  test('nothing is usual', async () => {
    expect(await durationsIn(down).usual('instances.restart', '101')).toEqual({});
  });
});

/** A Redis in which these lists are kept. */
function keeping(lists: Readonly<Record<string, readonly string[]>>): RedisConnection {
  return { lrange: (key: string) => Promise.resolve(lists[key] ?? []) } as unknown as RedisConnection;
}

test('nonsense in Redis is no sample', async () => {
  const redis = keeping({
    [operationKeys.past('101')]: ['x', '{}', 'null', '[1]'],
    [operationKeys.times('instances.restart')]: ['x', '5:', 'NaN:1', '7:3', '6:6', '', '8', '-1:2', '2.5:2'],
  });
  expect(await durationsIn(redis).usual('instances.restart', '101')).toEqual({
    usuallyMs: 6,
    longMs: 7,
  });
});

test('what is usual for the instance comes before what is usual for the kind', async () => {
  const past = (kind: string, tookMs?: number): string =>
    JSON.stringify({ kind, userId: 'U1', at: 1, result: 'done', tookMs });
  const redis = keeping({
    [operationKeys.past('101')]: [
      ...[30, undefined, 10, 20].map((tookMs) => past('instances.restart', tookMs)),
      past('instances.stop', 1),
    ],
    [operationKeys.past('102')]: [30, undefined, 10].map((tookMs) => past('instances.restart', tookMs)),
    [operationKeys.times('instances.restart')]: ['500:400', '600:', '700:600'],
  });
  const { usual } = durationsIn(redis);
  expect(await usual('instances.restart', '101')).toEqual({ usuallyMs: 20, longMs: 30 });
  expect(await usual('instances.restart', '102')).toEqual({ usuallyMs: 600, longMs: 700 });
});

test('what is remembered of times is read as it was written, and anything else is nothing', () => {
  const ms = fc.nat(100_000_000);
  const times = fc.record({ tookMs: ms, endedAfterMs: fc.option(ms, { nil: undefined }) });
  fc.assert(
    fc.property(times, (one) => {
      expect(readTimes(timesText(one))).toEqual(one);
    }),
    { numRuns: runs(1_000) },
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      const read = readTimes(text);
      return read === undefined || /^\d+:\d*$/.test(text);
    }),
    { numRuns: runs(1_000) },
  );
});

test('what an operation leaves once it is done is how long it took, of its instance and of its kind', async () => {
  const times = { endedAfter: (_kind: string, ms: number): number => ms };
  const done: Operation = {
    ...operation({ execution: { state: 'ended', acceptedAt: NOW + 1_000 } }),
    outcome: { result: 'done', code: 'done', at: NOW + 41_000.4 },
  };
  const { past, times: ofKind } = historyOf(done, times);
  expect(readPast(past)).toMatchObject({ kind: done.kind, result: 'done', tookMs: 41_000 });
  expect(readTimes(ofKind)).toEqual({ tookMs: 41_000, endedAfterMs: 40_000 });
  const failed: Operation = { ...done, outcome: { result: 'unknown', code: 'no-answer', at: NOW + 41_000 } };
  expect(readPast(historyOf(failed, times).past)).toEqual({
    kind: done.kind,
    userId: 'U1',
    at: NOW + 41_000,
    result: 'unknown',
  });
  expect(historyOf(failed, times).times).toBe('');
});
