import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closest } from '../../src/slack/closest.ts';
import { PURE_RUNS } from '../support/runs.ts';

const VERBS = [
  'list',
  'show',
  'start',
  'stop',
  'restart',
  'delete',
  'history',
  'watch',
  'help',
  'operations',
];

test.each([
  ['restrat', 'restart'],
  ['restar', 'restart'],
  ['retsart', 'restart'],
  ['RESTARTT', 'restart'],
  ['sotp', 'stop'],
  ['shwo', 'show'],
  ['lst', 'list'],
  ['operatoins', 'operations'],
  ['delet', 'delete'],
  ['web-1', undefined],
  ['x', undefined],
  ['', undefined],
  ['restartweb', undefined],
])('%s was meant as %s', (typed, meant) => {
  expect(closest(typed, VERBS)).toBe(meant);
});

test('with nothing to choose from nothing is meant', () => {
  expect(closest('restart', [])).toBeUndefined();
});

test('a word itself, and a word with two neighbours swapped, is found', () => {
  fc.assert(
    fc.property(fc.constantFrom(...VERBS), fc.nat(), (verb, seed) => {
      const at = seed % (verb.length - 1);
      const letters = [...verb];
      [letters[at], letters[at + 1]] = [letters[at + 1] ?? '', letters[at] ?? ''];
      expect(closest(verb, VERBS)).toBe(verb);
      const swapped = closest(letters.join(''), [verb]);
      return swapped === verb;
    }),
    { numRuns: PURE_RUNS },
  );
});

test('whatever is typed, the answer is one of the candidates or none, and never far away', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 3_000 }), (typed) => {
      const meant = closest(typed, VERBS);
      return meant === undefined || (VERBS.includes(meant) && Math.abs(meant.length - typed.length) <= 2);
    }),
    { numRuns: PURE_RUNS },
  );
});
