import { expect, test } from 'vitest';
import { takePeriods } from '../../src/features/audit/said-period.ts';
import { toPlainText } from '../../src/platform/slack/phrase.ts';

const BERLIN = 'Europe/Berlin';
/** What is read of words at a moment: from, to and in words. */
function read(words: string, at: string, zone = BERLIN): readonly unknown[] {
  const { periods, rest } = takePeriods(words.split(' '), { at: Date.parse(at), zone });
  return [
    ...periods.flatMap(({ since, until, when }) => [
      `${new Date(since).toISOString()} ${new Date(until).toISOString()}`,
      toPlainText(when),
    ]),
    ...rest,
  ];
}

test.each([
  ['yesterday', '2026-11-25T23:00:00.000Z 2026-11-26T22:59:59.999Z', 'yesterday, Nov 26'],
  ['Today', '2026-11-26T23:00:00.000Z 2026-11-27T06:20:00.000Z', 'today, Nov 27'],
  ['last night', '2026-11-26T19:00:00.000Z 2026-11-27T06:20:00.000Z', 'since 2026-11-26 19:00 UTC'],
  ['tonight', '2026-11-26T19:00:00.000Z 2026-11-27T06:20:00.000Z', 'since 2026-11-26 19:00 UTC'],
  ['last week', '2026-11-15T23:00:00.000Z 2026-11-22T22:59:59.999Z', 'from 2026-11-16 to 2026-11-22'],
  ['last month', '2026-09-30T22:00:00.000Z 2026-10-31T22:59:59.999Z', 'in October 2026'],
])('at 7:20 in Berlin, "%s" is by the clock there', (words, span, said) => {
  expect(read(words, '2026-11-27T06:20:00Z')).toEqual([span, said]);
});

test('at 22:00, the night has begun, and the last one was the day before', () => {
  expect(read('tonight', '2026-11-27T21:00:00Z').at(-1)).toBe('since 2026-11-27 19:00 UTC');
  expect(read('last night', '2026-11-27T21:00:00Z').at(-1)).toBe('since 2026-11-26 19:00 UTC');
});

test('other words stay, and whose zone nobody knows reads that it is UTC', () => {
  expect(read('last web-1 yesterday october', '2026-11-27T06:20:00Z', 'UTC').slice(1)).toEqual([
    'yesterday, Nov 26 (UTC)',
    'last',
    'web-1',
    'october',
  ]);
});
