import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createProtection } from '../../src/core/policy/pattern.ts';
import { RULE_RUNS } from '../support/runs.ts';

const isProtected = createProtection(['prod-*', 'db-1', '101', '*-vault', 'a*c*e']);
const named = (name: string, id = '7'): boolean => isProtected({ id, name });

describe('an instance is protected', () => {
  test.each([
    ['whose name begins as a pattern does', 'prod-web'],
    ['whose name is all of a pattern but the star', 'prod-'],
    ['in any case', 'PROD-Web'],
    ['whose whole name is listed', 'db-1'],
    ['whose whole name is listed, in any case', 'DB-1'],
    ['whose name ends as a pattern does', 'big-vault'],
    ['whose name has each part of a pattern in turn', 'abcde'],
    ['which is called like a listed id', '101'],
  ])('%s: %s', (_why, name) => expect(named(name)).toBe(true));

  test('by its id, whatever its name becomes', () => {
    expect(named('anything', '101')).toBe(true);
    expect(named('', '101')).toBe(true);
  });
});

describe('an instance is not protected', () => {
  test.each([
    ['prod'],
    ['my-prod-1'],
    ['db-10'],
    ['xdb-1'],
    ['vault'],
    ['aec'],
    ['web-1'],
    [''],
    ['prodx-1'],
  ])('that is called %j', (name) => expect(named(name)).toBe(false));

  test('by an id that only resembles a listed one: ids know no patterns and no cases', () => {
    for (const id of ['1010', '10', '101 ', 'prod-1', 'DB-1']) expect(named('web', id)).toBe(false);
    expect(createProtection(['abc'])({ id: 'ABC', name: 'web' })).toBe(false);
  });

  test('by a dot or a bracket that would mean something in a regular expression', () => {
    const dotted = createProtection(['web.1', '[a-z]*', '(x+x+)+y']);
    expect(dotted({ id: '1', name: 'web-1' })).toBe(false);
    expect(dotted({ id: '1', name: 'abc' })).toBe(false);
    expect(dotted({ id: '1', name: 'x'.repeat(50_000) })).toBe(false);
    expect(dotted({ id: '1', name: 'web.1' })).toBe(true);
    expect(dotted({ id: '1', name: '[a-z]b' })).toBe(true);
  });
});

test('nothing is protected where nothing is listed, and everything by a star', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (id, name) => {
      expect(createProtection([])({ id, name })).toBe(false);
      expect(createProtection(['*'])({ id, name })).toBe(true);
      expect(createProtection(['nothing-1', '**', 'nothing-2'])({ id, name })).toBe(true);
    }),
    { numRuns: RULE_RUNS / 2 },
  );
});

/** What a pattern means, by a regular expression in which only the star is none of the text. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[.\\^$+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'is');
}

test('whatever the patterns, who is protected is who matches one, or bears one as id', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '-', '.', '*'), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3 }), text, text, (patterns, id, name) => {
      const expected = patterns.some((pattern) => pattern === id || expressionOf(pattern).test(name));
      return createProtection(patterns)({ id, name }) === expected;
    }),
    { numRuns: RULE_RUNS / 2 },
  );
});
