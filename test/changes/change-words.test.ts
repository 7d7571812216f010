import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../src/core/refusal.ts';
import { splitWords } from '../../src/core/ask/words.ts';
import { parseChangeWords } from '../../src/core/changes/find-asked.ts';
import { runs } from '../support/runs.ts';

const TIER = { tier: 'standard' };
const read = (line: string, own: Record<string, string> = {}): object =>
  parseChangeWords(splitWords(line).words, 'delete web-1', own);

describe('what follows a verb is read as names and options:', () => {
  test.each([
    ['', { names: [], dryRun: false }],
    ['web-1', { names: ['web-1'], dryRun: false }],
    ['"web 1" web-2', { names: ['web 1', 'web-2'], dryRun: false }],
    ['web-1 --dry-run', { names: ['web-1'], dryRun: true }],
    ['--dry-run web-1', { names: ['web-1'], dryRun: true }],
    ['name:a* -name:ab --dry-run', { names: ['name:a*', '-name:ab'], dryRun: true }],
    ['web-1 --because "it is over"', { names: ['web-1'], because: 'it is over', dryRun: false }],
    ['web-1 —because over —dry-run', { names: ['web-1'], because: 'over', dryRun: true }],
    ['web-1 --because=over', { names: ['web-1'], because: 'over', dryRun: false }],
    ['web-1 --because one --because two', { names: ['web-1'], because: 'two', dryRun: false }],
  ])('%j', (line, expected) => expect(read(line)).toEqual({ options: {}, ...expected }));

  test('a tier where one is taken', () => {
    expect(read('backup web-1 --tier pro', TIER)).toEqual({
      names: ['backup', 'web-1'],
      options: { tier: 'pro' },
      dryRun: false,
    });
  });

  test('a reason that is cut where it is longer than a card holds', () => {
    expect(parseChangeWords(['web-1', '--because', 'x'.repeat(361)], '')).toMatchObject({
      because: 'x'.repeat(360),
    });
  });
});

describe('an option that there is none of is refused, and nothing is done:', () => {
  test.each([
    'web-1 --force',
    'web-1 -f',
    'web-1 --because',
    'web-1 --dry-run=no',
    'web-1 --tier pro',
    '--__proto__ x',
  ])('%j', (line) => expect(() => read(line)).toThrow(Refusal));
  test('a tier without a word', () => expect(() => read('backup web-1 --tier', TIER)).toThrow(Refusal));
});

test('whatever is typed is names and options or refused, and a dry run is one only by its own word', () => {
  const word = fc.oneof(
    fc.constantFrom(
      '--dry-run',
      '--because',
      '--tier',
      '--',
      '-x',
      '--x',
      '--dry-run=',
      'web-1',
      '--because=x',
      '-',
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), fc.boolean(), (words, takesTier) => {
      try {
        const found = parseChangeWords(words, 'delete web-1', takesTier ? TIER : {});
        expect(found.names.every((name) => words.includes(name))).toBe(true);
        if (found.dryRun) expect(words).toContain('--dry-run');
        if (!takesTier) expect(found.options).toEqual({});
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
    }),
    { numRuns: runs(20_000) },
  );
});
