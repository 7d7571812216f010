import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitWords } from '../../src/core/routing/words.ts';
import { PURE_RUNS } from '../support/runs.ts';

// INVISIBLE has no control characters (U+0000, U+0085, U+007F …) and not all of Cf/
// default-ignorable (U+061C, U+180E, U+E0001…). `[\p{Cf}\p{Cc}]` minus white space would be the whole of it.
test.each(['\u0000', '\u0007', '\u001B', '\u007F', '\u0085', '\u061C', '\u180E', '\u{E0041}', '\uFFF9'])(
  'no word keeps the invisible character %j',
  (character) => {
    expect(splitWords(`restart we${character}b-1`).words.join(' ')).not.toContain(character);
  },
);

test('no word has a control or format character, whatever was typed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (line) =>
      splitWords(line).words.every((word) => !/[\p{Cc}\p{Cf}]/u.test(word)),
    ),
    { numRuns: PURE_RUNS },
  );
});

// a line is cut at 3,000 characters without a word: `web-10` becomes `web-1`, and a write
// then has an exact name that nobody typed. A cut line must be refused for a write, as an unmatched quote is.
test('a line that is too long never ends in a name that nobody typed', () => {
  const line = `restart${' '.repeat(3_000 - 'restart'.length - 'web-1'.length)}web-10`;
  const { words, doubt } = splitWords(line);
  expect(doubt !== undefined || !words.includes('web-1')).toBe(true);
});

// the marks are looked for before the full stop goes.
test.each(['*web-1*.', '`web-1`,', '_web-1_.'])('%s is web-1: marks and a full stop both go', (typed) => {
  expect(splitWords(`restart ${typed}`).words).toEqual(['restart', 'web-1']);
});

// quoting is the only way to write such a name, and takes the marks off all the same.
test.each(['*web-1*', 'web-1.', '_x_', 'It broke.'])(
  '"%s" in quotation marks comes back as it is',
  (name) => {
    expect(splitWords(`show "${name}"`).words).toEqual(['show', name]);
  },
);
