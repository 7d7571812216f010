import { expect, test } from 'vitest';
import { takePeriods } from '../../src/features/audit/said-period.ts';
import { Refusal } from '../../src/core/refusal.ts';
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
  ['last night', '2026-11-26T17:00:00.000Z 2026-11-27T06:20:00.000Z', 'since 2026-11-26 17:00 UTC'],
  ['tonight', '2026-11-26T17:00:00.000Z 2026-11-27T06:20:00.000Z', 'since 2026-11-26 17:00 UTC'],
  ['last week', '2026-11-15T23:00:00.000Z 2026-11-22T22:59:59.999Z', 'from 2026-11-16 to 2026-11-22'],
  ['since 23:00', '2026-11-26T22:00:00.000Z 2026-11-27T06:20:00.000Z', 'since 2026-11-26 22:00 UTC'],
  ['since 6 am', '2026-11-27T05:00:00.000Z 2026-11-27T06:20:00.000Z', 'since 2026-11-27 05:00 UTC'],
  ['since monday', '2026-11-22T23:00:00.000Z 2026-11-27T06:20:00.000Z', 'since 2026-11-22 23:00 UTC'],
  ['since 2026-11-02', '2026-11-01T23:00:00.000Z 2026-11-27T06:20:00.000Z', 'since 2026-11-01 23:00 UTC'],
  ['since last night', '2026-11-26T17:00:00.000Z 2026-11-27T06:20:00.000Z', 'since 2026-11-26 17:00 UTC'],
  ['last month', '2026-09-30T22:00:00.000Z 2026-10-31T22:59:59.999Z', 'in October 2026'],
  ['last 6 hours', '2026-11-27T00:20:00.000Z 2026-11-27T06:20:00.000Z', 'in the last 6 hours'],
  ['in the last 6h', '2026-11-27T00:20:00.000Z 2026-11-27T06:20:00.000Z', 'in the last 6 hours'],
  ['past 30 minutes', '2026-11-27T05:50:00.000Z 2026-11-27T06:20:00.000Z', 'in the last 30 minutes'],
  ['last hour', '2026-11-27T05:20:00.000Z 2026-11-27T06:20:00.000Z', 'in the last hour'],
])('at 7:20 in Berlin, "%s" is by the clock there', (words, span, said) => {
  expect(read(words, '2026-11-27T06:20:00Z')).toEqual([span, said]);
});

test('a night is from 18:00 to 8:00: at 22:00 it has begun, and the last one is that of the day before', () => {
  expect(read('tonight', '2026-11-27T21:00:00Z').at(-1)).toBe('since 2026-11-27 17:00 UTC');
  expect(read('last night', '2026-11-27T21:00:00Z')).toEqual([
    '2026-11-26T17:00:00.000Z 2026-11-27T07:00:00.000Z',
    'from 2026-11-26 17:00 UTC to 2026-11-27 07:00 UTC',
  ]);
});

test.each(['since 25:00', 'since 99', 'web-1 since 14 pm', 'since when', 'since'])(
  'the time of "%s" is not understood, and the answer says which are',
  (words) => {
    expect(() => read(words, '2026-11-27T06:20:00Z')).toThrow(
      expect.toSatisfy(
        (error) =>
          error instanceof Refusal &&
          /since 23:00, since 9 am(, | or )since yesterday/.test(toPlainText(error.answer.lines[0] ?? [])),
      ),
    );
  },
);

test('other words stay, and whose zone nobody knows reads that it is UTC', () => {
  expect(read('last web-1 yesterday october', '2026-11-27T06:20:00Z', 'UTC').slice(1)).toEqual([
    'yesterday, Nov 26 (UTC)',
    'last',
    'web-1',
    'october',
  ]);
});
