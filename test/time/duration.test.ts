import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countDuration, parseDuration } from '../../src/platform/time/duration.ts';
import { runs } from '../support/runs.ts';

const ALL = ['w', 'd', 'h', 'm', 's'] as const;

describe('a duration', () => {
  test.each([
    ['90s', 90_000],
    ['5m', 300_000],
    ['12h', 43_200_000],
    ['30d', 2_592_000_000],
    ['4w', 2_419_200_000],
    ['0s', 0],
    ['99999d', 8_639_913_600_000],
  ])('%s is %i ms', (text, ms) => expect(parseDuration(text, ALL)).toBe(ms));

  test.each(['', '5', 'm', '5 m', '5M', '1.5h', '-1m', '5mm', '5y', '100000s', ' 5m', '5m\n'])(
    '%j is none',
    (text) => expect(parseDuration(text, ALL)).toBeUndefined(),
  );

  test('is none in a unit that is not offered', () => {
    expect(parseDuration('1d', ['s', 'm', 'h'])).toBeUndefined();
  });

  test('is read back as it was written, in the largest unit that fits', () => {
    fc.assert(
      fc.property(fc.nat(99_999), fc.constantFrom(...ALL), (typed, typedUnit) => {
        const ms = parseDuration(`${typed}${typedUnit}`, ALL) ?? Number.NaN;
        const { count, unit } = countDuration(ms, ALL);
        expect(parseDuration(`${count}${unit}`, ALL)).toBe(ms);
        expect(count).toBeLessThanOrEqual(typed);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('that is no whole number of any unit is written in seconds, rounded down', () => {
    expect(countDuration(61_999, ['h', 'm'])).toEqual({ count: 61, unit: 's' });
  });
});
