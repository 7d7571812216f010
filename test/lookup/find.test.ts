import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Instance } from '../../src/platform/hosting/service.ts';
import { findExactly, findLoosely, type InstanceMatch, near } from '../../src/core/lookup/find.ts';
import { runs } from '../support/runs.ts';

const instance = (id: string, name: string): Instance => ({
  id,
  name,
  status: 'running',
  statusWord: 'running',
  can: {},
});
const fleet = [
  instance('1', 'web-1'),
  instance('2', 'web-2'),
  instance('3', 'Db'),
  instance('4', 'db'),
  instance('5', 'twin'),
  instance('6', 'twin'),
  instance('7', 'lonely'),
  instance('web-2', 'confusing'),
];
const ids = (found: InstanceMatch): string =>
  found.found === 'one'
    ? found.instance.id
    : `${found.found}: ${those(found)
        .map((one) => one.id)
        .join(' ')}`;
const those = (found: Exclude<InstanceMatch, { found: 'one' }>): readonly Instance[] => {
  if (found.found === 'several') return found.instances;
  return found.found === 'none' ? found.near : [found.instance];
};

describe('a write', () => {
  test.each([
    ['1', '1'],
    ['web-1', '1'],
    ['db', '4'],
    ['Db', '3'],
    ['twin', 'several: 5 6'],
    ['web-2', 'several: 2 web-2'],
    ['web-1 (1)', '1'],
    ['web-1(1)', '1'],
    ['twin (6)', '6'],
    ['WEB-1 (1)', 'contradiction: 1'],
    ['web-1 (2)', 'contradiction: 2'],
    ['web-1 (99)', 'none: 1 2'],
    ['wbe-1', 'none: 1'],
    ['lonel', 'none: 7'],
    ['LONELY', 'none: 7'],
    ['DB', 'none: 4 3'],
    ['web', 'none: 1 2 web-2'],
    ['nothing', 'none: '],
  ])('of %s finds %s', (word, found) => expect(ids(findExactly(word, fleet))).toBe(found));
});

describe('names that look the same', () => {
  test.each([
    ['by what nobody sees', 'web-1', 'web\u200B-1'],
    ['by a soft hyphen', 'web-1', 'web-\u00AD1'],
    ['by a joiner of letters', 'web-1', 'web\u034F-1'],
    ['by the variant of a letter', 'web-1', 'web-1\uFE0F'],
    ['by a letter that is not drawn', 'web-1', 'web-1\u3164'],
    ['by an empty pattern of Braille', 'web 1', 'web\u28001'],
    ['by a space that does not break', 'web 1', 'web\u00A01'],
    ['by how many spaces there are', 'web 1', 'web  1'],
    ['by a space at the end', 'web-1', 'web-1 '],
    ['by how a letter is written', 'caf\u00E9', 'cafe\u0301'],
    ['by a curly apostrophe', "it's", 'it\u2019s'],
  ])('are asked about, %s', (_name, typed, other) => {
    const both = [instance('1', typed), instance('2', other)];
    expect(ids(findExactly(typed, both))).toBe('several: 1 2');
    expect(ids(findExactly(typed, both.slice(0, 1)))).toBe('1');
    expect(ids(findExactly(typed, both.slice(1)))).toBe('2');
  });
});

describe('by a host name or an address', () => {
  const hosted: readonly Instance[] = [
    { ...instance('1', 'web-1'), hostname: 'web-1.example.com', ipAddress: '10.0.0.7' },
    { ...instance('2', 'web-10'), address: 'https://web-10.example.com/', ipAddress: '10.0.0.70' },
    { ...instance('3', 'one'), ipAddress: '2001:db8::65' },
    { ...instance('4', 'two'), ipAddress: '192.0.2.1' },
    { ...instance('5', 'three'), ipAddress: '192.0.2.1' },
    instance('6', '192.0.2.1'),
    instance('7', 'db'),
  ];
  test.each([
    ['web-1.example.com', '1', 'none: 1'],
    ['WEB-10.example.com', '2', 'none: 2'],
    ['https://web-10.example.com/health', '2', 'none: 2'],
    ['10.0.0.7', '1', 'none: 1'],
    ['2001:DB8::65', '3', 'none: 3'],
    // Its exact name comes before the addresses of others.
    ['192.0.2.1', '6', '6'],
    // Of the last no host is known, but most host names begin with the name.
    ['db.example.com', 'none: 7', 'none: 7'],
    ['db-7.example.com', 'none: 7', 'none: 7'],
    ['10.0.0.8', 'none: ', 'none: '],
  ])('%s is %s for a read, and %s for a write', (typed, read, write) => {
    expect(ids(findLoosely(typed, hosted))).toBe(read);
    expect(ids(findExactly(typed, hosted))).toBe(write);
  });
});

describe('a read', () => {
  test.each([
    ['1', '1'],
    ['web-1', '1'],
    ['db', '4'],
    ['web-1 (1)', '1'],
    ['web-1 (2)', 'contradiction: 2'],
    ['LONELY', '7'],
    ['lone', '7'],
    ['LONE', '7'],
    ['DB', 'several: 3 4'],
    ['twin', 'several: 5 6'],
    ['web-2', 'several: 2 web-2'],
    ['onel', 'none: 7'],
    ['web', 'none: 1 2 web-2'],
    ['nothing', 'none: '],
  ])('of %s finds %s', (word, found) => expect(ids(findLoosely(word, fleet))).toBe(found));
});

test('a read that fits many offers five of them', () => {
  const many = Array.from({ length: 50 }, (_, index) => instance(String(index), `web-${index}`));
  expect(those(findLoosely('web', many) as Exclude<InstanceMatch, { found: 'one' }>)).toHaveLength(5);
});

const name = fc.string({
  unit: fc.constantFrom('a', 'A', 'b', '1', '-', 'İ', 'ß', 'é', 'ﬁ'),
  minLength: 1,
  maxLength: 4,
});
const someFleet = fc.uniqueArray(
  fc.tuple(fc.oneof(fc.nat(99).map(String), name), name).map(([id, called]) => instance(id, called)),
  { maxLength: 12, selector: (one) => one.id },
);

test('a write never guesses: what it finds has exactly that id or exactly that name, and nothing else has', () => {
  fc.assert(
    fc.property(someFleet, fc.oneof(name, fc.nat(99).map(String)), (instances, word) => {
      const exact = instances.filter((one) => one.id === word || one.name === word);
      const found = findExactly(word, instances);
      if (found.found === 'one') return exact.length === 1 && exact[0] === found.instance;
      if (found.found === 'several') return exact.length > 1 && found.instances.length === exact.length;
      return exact.length === 0 && found.found === 'none' && found.near.length <= 5;
    }),
    { numRuns: runs(20_000) },
  );
});

test('a read finds one only if nothing else fits as well', () => {
  fc.assert(
    fc.property(someFleet, name, (instances, word) => {
      const found = findLoosely(word, instances);
      if (found.found !== 'one') return true;
      const tiers = [
        (one: Instance) => one.id === word || one.name === word,
        (one: Instance) => one.name.toLowerCase() === word.toLowerCase(),
        (one: Instance) => one.name.toLowerCase().startsWith(word.toLowerCase()),
      ];
      const first = tiers.map((tier) => instances.filter(tier)).find((fitting) => fitting.length > 0);
      return first?.length === 1 && first[0] === found.instance;
    }),
    { numRuns: runs(20_000) },
  );
});

test('a read that fits a write finds the same', () => {
  fc.assert(
    fc.property(someFleet, name, (instances, word) => {
      const exact = findExactly(word, instances);
      if (exact.found !== 'none') expect(findLoosely(word, instances)).toEqual(exact);
    }),
    { numRuns: runs(5_000) },
  );
});

test('whatever else there is, a name with two neighbors swapped is near, after what begins as typed', () => {
  const words = fc.array(fc.constantFrom('web', 'svc', 'worker', 'db', 'x'), { minLength: 2, maxLength: 3 });
  const fleets = fc.uniqueArray(words, { selector: (one) => one.join('-'), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fleets, fc.nat(), fc.nat(), (all, which, where) => {
      const instances = all.map((one, index) => instance(`i-${index}`, one.join('-')));
      const meant = instances[which % instances.length]!;
      const at = where % (meant.name.length - 1);
      const typed = [...meant.name];
      [typed[at], typed[at + 1]] = [typed[at + 1]!, typed[at]!];
      const found = near(typed.join(''), instances);
      expect(found).toContain(meant);
      const begins = found.findIndex(({ name: its }) => its.startsWith(typed.join('')));
      if (begins >= 0 && found[begins] !== meant) expect(found.indexOf(meant)).toBeGreaterThan(begins);
    }),
    { numRuns: runs(2_000) },
  );
});

test('what is near comes in the order of how near it is, then by name', () => {
  const instances = [
    instance('9', 'my-web'),
    instance('8', 'web-b'),
    instance('7', 'web-a'),
    instance('6', 'WEB'),
  ];
  expect(near('web', instances).map((one) => one.name)).toEqual(['WEB', 'web-a', 'web-b', 'my-web']);
  expect(near('', instances)).toHaveLength(4);
});
