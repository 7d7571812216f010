import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const page = readFileSync('docs/reliability.md', 'utf8');
const rows = page
  .split('\n')
  .map((line) => /^\| ([SAQPHXFCW]\d+) +\| (.+?) +\| (.+?) +\|$/.exec(line))
  .filter((row) => row !== null)
  .map(([, id = '', , shownBy = '']) => ({ id, shownBy }));

/** How many rows the table has of each letter. */
const COUNTS = { S: 22, A: 20, Q: 24, P: 14, H: 15, X: 27, F: 30, C: 14, W: 10 };

describe('docs/reliability.md', () => {
  test('has every row of the list of failures once, in its order', () => {
    const all = Object.entries(COUNTS).flatMap(([letter, count]) =>
      Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
    );
    expect(rows.map(({ id }) => id)).toEqual(all);
  });

  test('has as many rows as the README says', () => {
    expect(readFileSync('README.md', 'utf8')).toContain(`for each of ${rows.length} failures and attacks`);
  });

  test.each(rows)('$id names a test that there is, or says why there is none', ({ shownBy }) => {
    const named = /^`(test\/[^`]+)` "((?:[^"\\]|\\.)+)"/.exec(shownBy);
    if (!named) {
      expect(shownBy).toMatch(/^none: .{15,}/);
      return;
    }
    const [, file = '', title = ''] = named;
    expect(existsSync(file), file).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain(title.replaceAll('\\"', '"'));
  });
});
