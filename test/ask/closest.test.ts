import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesFrom, closest } from '../../src/core/ask/closest.ts';
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

/** The whole table, letter by letter. */
function changesByTable(from: string, to: string): number[] {
  const table = Array.from({ length: from.length + 1 }, (_, row) =>
    Array.from({ length: to.length + 1 }, (__, column) => (row === 0 ? column : row)),
  );
  const at = (row: number, column: number): number => table[row]?.[column] ?? Infinity;
  for (let row = 1; row <= from.length; row++) {
    for (let column = 1; column <= to.length; column++) {
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      table[row]![column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1),
        row > 1 && column > 1 && isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
      );
    }
  }
  return table.at(-1) ?? [];
}

test('changes are counted as in the whole table, up to the most that matters', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '-', '1'), maxLength: 9 });
  fc.assert(
    fc.property(word, word, fc.nat(3), (from, to, most) => {
      const table = changesByTable(from, to);
      const [whole = Infinity, beginning] = [table.at(-1), Math.min(...table)];
      expect(changesFrom(from, most)(to)).toEqual({
        whole: whole <= most ? whole : undefined,
        beginning: beginning <= most ? beginning : undefined,
      });
    }),
    { numRuns: PURE_RUNS },
  );
});

test('with nothing to choose from nothing is meant', () => {
  expect(closest('restart', [])).toBeUndefined();
});

test('a word itself, and a word with two neighbors swapped, is found', () => {
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
