import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine } from '../../src/core/lists/columns.ts';
import { anyText } from '../support/any-text.ts';
import { PURE_RUNS } from '../support/runs.ts';
import { parseCsv } from './rfc4180.ts';

describe('a cell of the file', () => {
  test.each([
    ['plain', 'plain'],
    ['', ''],
    ['-225.10', '-225.10'],
    ['5000', '5000'],
    ['-1+2', "'-1+2"],
    ['+5', "'+5"],
    ['=HYPERLINK("http://evil")', `"'=HYPERLINK(""http://evil"")"`],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠a', "'＠a"],
    [' =1', "' =1"],
    ['\u200B=1', "'\u200B=1"],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['a=b', 'a=b'],
  ])('%j is written as %j', (text, written) => expect(csvLine([text])).toBe(`${written}\r\n`));
});

test('whatever a service sends comes back as it was, and none of it starts a formula', () => {
  const piece = fc.oneof(
    anyText({ maxLength: 8 }),
    fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '\r\n', '"', ',', "'", '＝', '＠', ' ', '1', '.5'),
  );
  const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const rows = parseCsv(csvLine([one, other]));
      if (rows.length !== 1 || rows[0]?.length !== 2) return false;
      return [one, other].every((sent, index) => {
        const got = rows[0]?.[index] ?? '';
        const isSame = got === sent || got === `'${sent}`;
        return isSame && (!/^[=+\-@\t\r＝＋－＠]/.test(got) || /^-?\d+(\.\d+)?$/.test(got));
      });
    }),
    { numRuns: PURE_RUNS },
  );
});
