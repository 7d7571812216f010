import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../src/core/refusal.ts';
import type { Instance } from '../../src/platform/hosting/service.ts';
import { isFilter, matcherOf, parseFilters } from '../../src/core/instances/filter.ts';
import { PURE_RUNS, runs } from '../support/runs.ts';

const instance = (id: string, over: Partial<Instance> = {}): Instance => ({
  id,
  name: `web-${id}`,
  status: 'running',
  statusWord: 'running',
  can: {},
  ...over,
});
const fleet = [
  instance('1', { tier: 'pro', health: 'healthy' }),
  instance('2', { tier: 'budget', status: 'stopped', statusWord: 'off' }),
  instance('3', { name: 'db-3', tier: 'pro', health: 'unhealthy' }),
  instance('4', { name: 'DB-4', status: 'unknown', statusWord: 'levitating' }),
];
const NOW = Date.UTC(2026, 10, 22);
const pick = (...words: string[]): string[] => fleet.filter(parseFilters(words, NOW)).map((one) => one.id);

test.each([
  [[], ['1', '2', '3', '4']],
  [['status:running'], ['1', '3']],
  [['STATUS:Running'], ['1', '3']],
  [['status:off'], ['2']],
  [['status:stopped,running'], ['1', '2', '3']],
  [['status:levitating'], ['4']],
  [['-status:running'], ['2', '4']],
  [['tier:pro'], ['1', '3']],
  [['-tier:pro'], ['2', '4']],
  [['health:unhealthy'], ['3']],
  [['-health:healthy'], ['2', '3', '4']],
  [['name:web-*'], ['1', '2']],
  [['name:DB-*'], ['3', '4']],
  [['name:*-3,*-4'], ['3', '4']],
  [['name:*'], ['1', '2', '3', '4']],
  [['name:web'], []],
  [['status:running', 'tier:pro', 'name:web-*'], ['1']],
  [['status:running', '-name:db-*'], ['1']],
  [['status:nothing'], []],
  [['name:web-1,'], ['1']],
])('%j is %j', (words, ids) => {
  expect(pick(...words)).toEqual(ids);
});

describe('what not every service tells', () => {
  const told = [
    instance('1', { region: 'fra1', labels: ['env=prod', 'backup'], hostname: 'web-1.example.com' }),
    instance('2', { region: 'ams3', labels: ['env:staging'], address: 'https://web-2.example.com:8443/' }),
    instance('3', { region: 'ams3', labels: [], hostname: 'web-3', ipAddress: '10.0.0.7' }),
    instance('4'),
  ];
  test.each([
    [['region:fra1'], ['1']],
    [['region:FRA*,ams3'], ['1', '2', '3']],
    [['label:env=prod'], ['1']],
    [['label:env'], ['1', '2']],
    [['label:env:staging'], ['2']],
    [['host:*.example.com'], ['1', '2']],
    [['host:web-3'], ['3']],
    [['address:10.0.*'], ['3']],
    [['address:web-2.example.com'], ['2']],
    [['address:web-2.example.com.'], ['2']],
    [['host:web-1.example.com.'], ['1']],
    // What stands on a card, as it stands there.
    [['address:https://web-2.example.com:8443/'], ['2']],
    [['host:https://*.example.com:8443/'], ['1', '2']],
    // Of the fourth nothing is known, so that it can't be what was meant either way.
    [['-region:fra1'], ['2', '3']],
    [['-label:env=prod'], ['2', '3']],
    [['-host:web-3'], ['1', '2']],
    [['-address:10.0.0.7'], ['2']],
  ])('%j is %j', (words, ids) => {
    expect(told.filter(parseFilters(words, NOW)).map((one) => one.id)).toEqual(ids);
  });
});

describe('a filter that there is none of is refused, and nothing is chosen:', () => {
  test.each([
    'color:red',
    'status:',
    '-status:',
    '-status:,',
    '-name:,,',
    'status:,',
    'id:1',
    '__proto__:x',
    'constructor:x',
    'toString:x',
  ])('%s', (word) => {
    expect(() => parseFilters([word], NOW)).toThrow(Refusal);
    expect(() => parseFilters(['status:running', word], NOW)).toThrow(Refusal);
  });
});

test.each([
  ['status:running', true],
  ['-name:web-*', true],
  ['color:red', false],
  ['prod:web-1', false],
  ['web-1', false],
  ['--because', false],
  ['web-1:80', false],
  ['', false],
])('%j is meant as a filter: %s', (word, meant) => expect(isFilter(word)).toBe(meant));

describe('a value with a minus, or a filter as a value, is refused, and what is meant is offered:', () => {
  test.each([
    ['name:web-*,-web-1', ['name:web-*', '-name:web-1']],
    ['name:web-*,!web-1', ['name:web-*', '-name:web-1']],
    ['name:-web-1', ['-name:web-1']],
    ['status:running,-name:db-1', ['status:running', '-name:db-1']],
    ['name:web-*,status:running', ['name:web-*', 'status:running']],
    ['-name:web-1,-web-2', undefined],
  ])('%s', (word, meant) => {
    const read = (): unknown => parseFilters([word], NOW);
    expect(read).toThrow(Refusal);
    try {
      read();
    } catch (error) {
      expect((error as Refusal).instead(['restart', word])).toEqual(meant ? [['restart', ...meant]] : []);
    }
  });

  test.each(['label:name:web', 'label:a-b'])('but not in a label: %s', (word) => {
    expect(() => parseFilters([word], NOW)).not.toThrow();
  });
});

describe('a pattern', () => {
  const letter = fc.constantFrom('a', 'b', 'A', '-', '*', '.', '+', '(', '[', '\\', '$', '^', '?', '{');
  const text = fc.string({ unit: letter, maxLength: 12 });

  test('matches exactly what a regular expression made of it would', () => {
    fc.assert(
      fc.property(text, text, (pattern, value) => {
        const source = pattern
          .split('*')
          .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
          .join('.*');
        return matcherOf(pattern)(value) === new RegExp(`^${source}$`, 'is').test(value);
      }),
      { numRuns: runs(50_000) },
    );
  });

  test('of a name matches that name, and * matches everything', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        (name) => matcherOf('*')(name) && (name.includes('*') || matcherOf(name)(name)),
      ),
      { numRuns: PURE_RUNS },
    );
  });

  test('of many stars ends at once', () => {
    expect(matcherOf('*a'.repeat(2_000))(`${'a'.repeat(10_000)}b`)).toBe(false);
    expect(matcherOf(`${'a*'.repeat(2_000)}b`)('a'.repeat(10_000))).toBe(false);
  });
});

test('any words whatever are filters or refused, and every word takes away or keeps', () => {
  const word = fc.oneof(
    fc.string(),
    fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.constantFrom('status', 'tier', 'name', 'health'),
        fc.string({ minLength: 1 }),
      )
      .map(([minus, field, value]) => `${minus}${field}:${value}`),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 4 }), (words) => {
      try {
        const all = pick(...words);
        for (const id of pick(...words.slice(1)).filter((one) => !all.includes(one))) {
          expect(pick(...words.slice(0, 1))).not.toContain(id);
        }
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
    }),
    { numRuns: runs(50_000) },
  );
});
