import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDurations, percentiles } from '../../src/core/operations/durations.ts';
import type { RedisConnection } from '../../src/platform/redis/connection.ts';
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

describe('where Redis does not answer', () => {
  const down = {
    lrange: () => Promise.reject(new Error('down')),
  } as unknown as RedisConnection;

  test('nothing is usual', async () => {
    expect(await createDurations(down).usual('instances.restart', '101')).toEqual({});
  });
});

test('nonsense in Redis is no sample', async () => {
  const redis = { lrange: () => Promise.resolve(['x', '5', 'NaN', '7', '6']) } as unknown as RedisConnection;
  expect(await createDurations(redis).usual('instances.restart', '101')).toEqual({
    usuallyMs: 6,
    longMs: 7,
  });
});
