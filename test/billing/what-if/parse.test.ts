import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitWords } from '../../../src/core/ask/words.ts';
import { Refusal } from '../../../src/core/refusal.ts';
import { parseAmount } from '../../../src/core/money/amount.ts';
import { parseSupposed, type Supposed } from '../../../src/features/billing/what-if/parse.ts';
import { typedWords } from '../../../src/features/billing/what-if/what-if.ts';
import { refusedBy } from '../../support/refused-by.ts';
import { PURE_RUNS } from '../../support/runs.ts';

/** What a typed line is read as. */
function read(line: string): readonly Supposed[] {
  const { words, letters } = splitWords(line);
  return parseSupposed(typedWords({ words: [...words], letters: [...letters] }), 'credits');
}

const stop = (...names: readonly string[]): object => ({ does: 'stop', names });
const start = (...names: readonly string[]): object => ({ does: 'start', names });
const add = (type: string, ...names: readonly string[]): object => ({ does: 'add', type, names });
const topUp = (decimal: string): object => ({ does: 'top up', amount: parseAmount(decimal) });

const refusalOf = (line: string): string => refusedBy(() => read(line));

describe('what somebody supposes', () => {
  it.each<[string, readonly object[]]>([
    [
      'stop staging-*, add backup to db-1, top up 500',
      [stop('name:staging-*'), add('backup', 'db-1'), topUp('500')],
    ],
    ['if we stop staging-*?', [stop('name:staging-*')]],
    ['stop name:a,b', [stop('name:a,b')]],
    ['stop name:a,b, start web-1', [stop('name:a,b'), start('web-1')]],
    ['stop status:running -name:web-*', [stop('status:running', '-name:web-*')]],
    ['stop web-1 and web-2', [stop('web-1', 'web-2')]],
    ['stop web-1,web-2 then start db-1', [stop('web-1', 'web-2'), start('db-1')]],
    ['stop 101,102', [stop('101', '102')]],
    ['stop web-1, staging-*', [stop('web-1'), stop('name:staging-*')]],
    ['stop web-1 top up 500', [stop('web-1'), topUp('500')]],
    ['stop everything', [stop('name:*')]],
    ['stop "fish and chips, hot"', [stop('fish and chips, hot')]],
    ['delete db-1.', [{ does: 'delete', names: ['db-1'] }]],
    ['remove llm from web-1 and web-2', [{ does: 'remove', type: 'llm', names: ['web-1', 'web-2'] }]],
    ['add a backup to db-1', [add('backup', 'db-1')]],
    ['add llm premium to db-1', [{ ...add('llm', 'db-1'), tier: 'premium' }]],
    ['add backup db-1', [add('backup', 'db-1')]],
    ['add backup to db-1 and llm to web-1', [add('backup', 'db-1'), add('llm', 'web-1')]],
    ['top up by 1,500.50 credits', [topUp('1500.50')]],
    ['top-up 1 000', [topUp('1000')]],
  ])('"%s" is read', (line, supposed) => {
    expect(read(line)).toEqual(supposed);
  });

  it.each([
    ['', /What would you change\? For example, type \/billing what-if stop/],
    ['restart web-1', /I can't read "restart" there/],
    ['web-1', /I can't read "web-1" there/],
    ['top up 500, web-1', /I can't read "web-1" there/],
    ['stop', /Which instances would you stop\?/],
    ['stop, top up 500', /Which instances would you stop\?/],
    ['add to db-1', /Which add-on would you add\?/],
    ['add backup', /Which instances would you add\?/],
    ['add llm large fast to db-1', /I can't read "fast" there/],
    ['top up', /How much would you top up\?/],
    ['top up $500', /I can't read "\$500" as an amount of credits/],
    ['top up 0', /I can't read "0" as an amount/],
    ['top up 1,000', /"1,000" can be read as two amounts/],
    ['stop web-1 --dry-run', /I take no options here, so I can't read "--dry-run"/],
    [Array.from({ length: 11 }, (_, at) => `top up ${at + 1}`).join(', '), /at most 10 changes/],
  ])('"%s" is refused, with the word that is in the way', (line, words) => {
    expect(refusalOf(line)).toMatch(words);
  });

  const word = fc.oneof(
    fc.constantFrom(
      ...'stop start delete add remove top up top-up and then to from , name:a,b staging-* web-1 500 1,500 all the a we if'.split(
        ' ',
      ),
    ),
    fc.string(),
  );

  it('has no "the" among its names, however often that is said', () => {
    expect(parseSupposed(['stop', 'the', 'web-1', 'then', 'the', 'web-2'], 'credits')).toEqual([
      { does: 'stop', names: ['web-1', 'web-2'] },
    ]);
    expect(parseSupposed(['stop', 'the', 'then', 'the'], 'credits')).toEqual([
      { does: 'stop', names: ['the'] },
    ]);
  });

  it('is read as it is meant, whatever the names', () => {
    const name = fc.stringMatching(/^[a-z]{3,8}-[0-9]{1,3}$/);
    const names = fc.uniqueArray(name, { minLength: 1, maxLength: 4 });
    const change = fc.oneof(
      fc.record({ does: fc.constantFrom('stop' as const, 'start' as const, 'delete' as const), names }),
      fc.record({ does: fc.constantFrom('add' as const), type: fc.constantFrom('backup', 'llm'), names }),
      fc.record({ does: fc.constantFrom('remove' as const), type: fc.constantFrom('backup', 'llm'), names }),
    );
    const between = fc.constantFrom(', ', ' and ', ' then ', ', and ');
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), between, (changes, mark) => {
        const lines = changes.map((one) => {
          const those = one.names.join(' ');
          if (!('type' in one)) return `${one.does} ${those}`;
          return `${one.does} ${one.type} ${one.does === 'add' ? 'to' : 'from'} ${those}`;
        });
        expect(read(lines.join(mark))).toEqual(changes);
      }),
      { numRuns: PURE_RUNS },
    );
  });

  it('is read or refused, whatever is typed, and each name in it was typed', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        let supposed: readonly Supposed[];
        try {
          supposed = parseSupposed(words, 'credits');
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
          return;
        }
        const typed = words.join(' ');
        const names = supposed.flatMap((one) => (one.does === 'top up' ? [] : one.names));
        for (const name of names.filter((one) => one !== 'name:*'))
          expect(typed).toContain(typed.includes(name) ? name : name.replace(/^name:/, ''));
      }),
      { numRuns: PURE_RUNS },
    );
  });
});
