import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitWords, unmangle } from '../../src/core/ask/words.ts';
import { anyText } from '../support/any-text.ts';
import { PURE_RUNS, runs } from '../support/runs.ts';

const words = (line: string): readonly string[] => splitWords(line).words;

describe('what Slack and phones make of a line is undone:', () => {
  test.each([
    ['escapes', 'restart a&amp;b &lt;x&gt;', ['restart', 'a&b', '<x>']],
    ['an escape that was typed', 'show &amp;lt;', ['show', '&lt;']],
    [
      'a link with a label',
      'show <http://web-1.example.com|web-1.example.com>',
      ['show', 'web-1.example.com'],
    ],
    ['a link without a label', 'show <https://example.com/a>', ['show', 'https://example.com/a']],
    ['a link with an empty label', 'show <https://example.com|>', ['show', 'https://example.com']],
    ['a mail address', 'show <mailto:ana@example.com|ana@example.com>', ['show', 'ana@example.com']],
    ['a bare mail address', 'show <mailto:ana@example.com>', ['show', 'ana@example.com']],
    ['a person', 'grant <@U012AB|ana> viewer', ['grant', 'U012AB', 'viewer']],
    ['a person without a name', 'grant <@U012AB>', ['grant', 'U012AB']],
    ['a channel', 'watch <#C012AB|ops>', ['watch', 'C012AB']],
    ['a query in a link', 'show <https://e.com/?a=1&amp;b=2|e.com>', ['show', 'e.com']],
    ['curly double quotes', 'stop web-1 because “it is slow”', ['stop', 'web-1', 'because', 'it is slow']],
    ['low and angle quotes', 'stop „two words“ «and more»', ['stop', 'two words', 'and more']],
    ['curly single quotes', 'stop ‘two words’', ['stop', 'two words']],
    ['an em dash before a word', 'stop web-1 —because slow', ['stop', 'web-1', '--because', 'slow']],
    ['an en dash before a word', 'stop web-1 –dry-run', ['stop', 'web-1', '--dry-run']],
    ['a dash at the very start', '—help', ['--help']],
    ['an en dash inside a word', 'show web–1', ['show', 'web-1']],
    ['an em dash inside a word', 'what—if stop web—*', ['what-if', 'stop', 'web-*']],
    ['a hyphen that does not break', 'stop web‑1 ‑‑dry‑run', ['stop', 'web-1', '--dry-run']],
    ['dashes of an option', 'stop web-1 —dry—run', ['stop', 'web-1', '--dry-run']],
    ['dashes between times and days', 'hours 08:00–20:00 mon–fri', ['hours', '08:00-20:00', 'mon-fri']],
    ['dashes in quotes', 'stop web-1 "slow—very slow"', ['stop', 'web-1', 'slow—very slow']],
    ['a dash by itself', 'show web — one', ['show', 'web', '—', 'one']],
    ['bold around a word', 'restart *web-1*', ['restart', 'web-1']],
    ['italics around a word', 'restart _web-1_', ['restart', 'web-1']],
    ['code around a word', 'restart `web-1`', ['restart', 'web-1']],
    ['marks that are not around the whole word', 'list name:web-* _a b_', ['list', 'name:web-*', '_a', 'b_']],
    ['marks inside a word', 'show web_1_a', ['show', 'web_1_a']],
    ['no-break spaces', 'restart\u00A0web-1\u202Fnow\u3000then', ['restart', 'web-1', 'now', 'then']],
    ['zero-width spaces', 're\u200Bstart \uFEFFweb\u2060-1\u200D', ['restart', 'web-1']],
    ['bidi marks', 'restart \u202Eweb-1\u202C \u2066a\u2069', ['restart', 'web-1', 'a']],
    ['soft hyphens', 're\u00ADstart', ['restart']],
    [
      'what nobody sees',
      're\u0000s\u0007ta\u0085rt \u001Bwe\u007F\u061Cb\u180E-\u{E0041}1\uFFF9',
      ['restart', 'web-1'],
    ],
    ['line breaks and tabs', 'restart\n\tweb-1\r\nweb-2', ['restart', 'web-1', 'web-2']],
    ['a full stop at the end', 'restart web-1.', ['restart', 'web-1']],
    ['a full stop after bold', 'restart *web-1*.', ['restart', 'web-1']],
    ['a comma after code', 'restart `web-1`,', ['restart', 'web-1']],
    ['a full stop after italics', 'restart _web-1_.', ['restart', 'web-1']],
    ['a comma after each', 'restart web-1, web-2, web-3', ['restart', 'web-1', 'web-2', 'web-3']],
    ['a dot inside', 'show web-1.example', ['show', 'web-1.example']],
    ['nothing but spaces', ' \u00A0 \u200B ', []],
    ['nothing', '', []],
  ])('%s', (_name, line, expected) => {
    expect(splitWords(line)).toMatchObject({ words: expected, doubt: undefined });
  });
});

describe('what is struck out', () => {
  test.each([
    ['is not said', 'restart ~web-1 and~ web-2', ['restart', 'web-2']],
    ['is not said, all of it', '~restart web-1~', []],
    ['is not said with two marks', 'restart ~~web-1 or~~ web-2', ['restart', 'web-2']],
    ['is no name by itself, unless an instance is called so', 'restart ~web-1~', ['restart', '~web-1~']],
    ['begins and ends at a word', 'show ~a b c~d e', ['show', '~a', 'b', 'c~d', 'e']],
    ['is not what stands in quotes', 'show "~a b~"', ['show', '~a b~']],
  ])('%s', (_name, line, expected) => expect(words(line)).toEqual(expected));
});

test('the letters of a word keep its quotes, and what nobody sees within it', () => {
  expect(splitWords('restart "web 1" web\u200B-2\u200B \u200B db')).toMatchObject({
    words: ['restart', 'web 1', 'web-2', 'db'],
    letters: ['restart', '"web 1"', 'web\u200B-2', 'db'],
  });
});

describe('a quotation mark', () => {
  test.each([
    ['"web 1"', ['web 1'], false],
    ["'web 1'", ['web 1'], false],
    ['--because="it is slow" now', ['--because=it is slow', 'now'], false],
    ['"it\'s slow"', ["it's slow"], false],
    ["it's slow", ["it's", 'slow'], false],
    ["'tis slow", ["'tis", 'slow'], false],
    ['restart "web-1', ['restart', 'web-1'], true],
    ['restart web-1"', ['restart', 'web-1'], true],
    ['restart “web-1', ['restart', 'web-1'], true],
    ['"', [], true],
    ['""', [], false],
    ['"a" "b', ['a', 'b'], true],
    ['show "*web-1*" "_x_"', ['show', '*web-1*', '_x_'], false],
    ['"web-1." "It broke."', ['web-1.', 'It broke.'], false],
  ])('in %s: %j, without a partner: %s', (line, expected, isUnmatched) => {
    expect(splitWords(line)).toMatchObject({
      words: expected,
      doubt: isUnmatched ? 'unmatched quote' : undefined,
    });
  });
});

const mangled = fc.oneof(
  anyText({ maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom(
      '<',
      '>',
      '|',
      '@',
      '#',
      '!',
      '&',
      'amp;',
      '&lt;',
      '&gt;',
      '"',
      "'",
      '“',
      '”',
      '‘',
      '’',
      '—',
      '–',

      '*',
      '_',
      '~',
      '`',
      '.',
      ',',
      ' ',
      '\u00A0',
      '\u200B',
      '\u202E',
      '\uFEFF',
      'mailto:',
      'http://',
      'a',
      '1',
      '-',
    ),
    maxLength: 300,
  }),
);

test('reading never throws, and no word is empty, has a space around it, or hides what nobody sees', () => {
  fc.assert(
    fc.property(mangled, (line) => {
      const read = splitWords(line);
      expect([undefined, 'unmatched quote', 'too long']).toContain(read.doubt);
      for (const word of read.words) {
        expect(word).not.toBe('');
        expect(word).not.toMatch(/[\p{Cc}\p{Cf}\u00A0\u2028\u2029\u3000]/u);
      }
    }),
    { numRuns: PURE_RUNS },
  );
});

test('no more than 3,000 characters are read, and the longest of any kind stays readable', () => {
  const one = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    ' ',
    '*',
    '_',
    '&',
    '.',
    '–',
    '<a|',
    "' ",
    '" ',
    '\u200B',
    '😀',
    '<<',
    '*a',
    ', ',
  );
  fc.assert(
    fc.property(one, one, fc.integer({ min: 3_000, max: 40_000 }), (first, second, length) => {
      const line = first + second.repeat(length);
      const total = splitWords(line).words.reduce((sum, word) => sum + word.length, 0);
      return total <= 3_000;
    }),
    { numRuns: runs(3_000) },
  );
});

// Else `web-10` could become `web-1`.
test('a line that is too long never ends in a name that nobody typed', () => {
  const line = `restart${' '.repeat(3_000 - 'restart'.length - 'web-1'.length)}web-10`;
  const { words: read, doubt } = splitWords(line);
  expect(doubt !== undefined || !read.includes('web-1')).toBe(true);
});

test('words that are quoted come back as they are, spaces and all', () => {
  const plain = fc
    .string({
      unit: fc.constantFrom('a', 'B', '7', 'é', '漢', '-', '/', ':', '=', '(', ' ', "'", '#', '$', '😀'),
    })
    .map((text) => text.trim())
    .filter((text) => text !== '');
  fc.assert(
    fc.property(fc.array(plain, { minLength: 1, maxLength: 8 }), (given) => {
      const line = given.map((word) => `"${word}"`).join(' ');
      expect(splitWords(line)).toMatchObject({ words: given, doubt: undefined });
    }),
    { numRuns: PURE_RUNS },
  );
});

test('an odd number of straight double quotes is always reported, and an even number never', () => {
  const text = fc.string({ unit: fc.constantFrom('"', 'a', ' ', 'b', '-') });
  fc.assert(
    fc.property(
      text,
      (line) => (splitWords(line).doubt !== undefined) === (line.split('"').length % 2 === 0),
    ),
    { numRuns: PURE_RUNS },
  );
});

test('plain words come back as they are, however much space is between them', () => {
  const word = fc.stringMatching(/^[a-z0-9][a-z0-9:=*-]{0,19}$/).filter((one) => !/^([*_~`]).*\1$/.test(one));
  const gap = fc.stringMatching(/^[ \t\n\u00A0\u2003]{1,3}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(word, gap), { maxLength: 20 }), (pairs) => {
      expect(words(pairs.flat().join(''))).toEqual(pairs.map(([one]) => one));
    }),
    { numRuns: PURE_RUNS },
  );
});

test('un-mangling what is not mangled changes nothing', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-zA-Z0-9:*_.,"'=/-]*$/), (line) => unmangle(line) === line),
    { numRuns: PURE_RUNS },
  );
});

test('a line that nothing has mangled is read as any other is', () => {
  const typed = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ unit: fc.constantFrom('a', ' ', '<', '>', '&', ';', '-', '"', '\t', '—'), maxLength: 12 }),
  );
  fc.assert(
    fc.property(typed, (line) => {
      // What nobody sees changes nothing, but takes the long way.
      expect(unmangle(line)).toBe(unmangle(`\u200B${line}`));
    }),
    { numRuns: PURE_RUNS },
  );
});
