import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type Grant, whyNot } from '../../src/core/policy/grant.ts';
import { isMeant } from '../../src/core/policy/pattern.ts';
import {
  areFiltersWithin,
  asItStands,
  isMet,
  mayKnowFilters,
  type Narrowing,
  narrowedWithin,
  overlap,
  patternWithin,
} from '../../src/core/policy/narrow.ts';

/** Few letters, so that names, ids and patterns meet. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '-', '1', 'İ'), minLength: 1, maxLength: 4 });
const mark = fc
  .tuple(
    fc.constantFrom('label', 'LABEL', 'region'),
    fc.string({ unit: fc.constantFrom('a', 'b', 'A', '*', '=', '1'), minLength: 1, maxLength: 4 }),
  )
  .map(([field, value]) => `${field}:${value}`);
const pattern = fc.oneof(
  word,
  fc.string({ unit: fc.constantFrom('a', 'b', 'A', '*', '-', '1'), minLength: 1, maxLength: 5 }),
  word.map((one) => `name:${one}`),
  fc.constantFrom('*', '**', 'name:*', 'a*b*a', '*a*', 'name:'),
  mark,
);
const patterns = fc.array(pattern, { minLength: 1, maxLength: 3 });
/** What an instance is called may look like what it is marked with. */
const called = fc.oneof(word, mark);
const target = fc.record(
  {
    id: word,
    name: called,
    labels: fc.array(
      fc.oneof(
        word,
        fc.tuple(word, word).map(([key, value]) => `${key}=${value}`),
      ),
      { maxLength: 2 },
    ),
    region: word,
  },
  { requiredKeys: ['id', 'name'] },
);
const channel = fc.constantFrom('C1', 'C2', 'C3');
const narrowing: fc.Arbitrary<Narrowing> = fc.record(
  {
    on: patterns,
    in: fc.array(channel, { minLength: 1, maxLength: 2 }),
    until: fc.integer({ min: 1, max: 5 }),
  },
  { requiredKeys: [] },
);

function covers(one: Narrowing, at: { id: string; name: string }, channelId: string, now: number): boolean {
  const grant = { ...one, role: 'viewer' } as unknown as Grant;
  return whyNot(grant, { permission: 'instances:read', about: at, channelId, now }) === undefined;
}

describe('what is given within what is held', () => {
  test('means no instance that what is held does not mean, by name or by id', () => {
    fc.assert(
      fc.property(pattern, patterns, target, (given, held, one) => {
        const as = patternWithin(given, held);
        return as === undefined || !isMeant([as], one) || isMeant(held, one);
      }),
      { numRuns: 5_000 },
    );
  });

  test('carries nothing, nowhere and at no time, that what is held does not carry', () => {
    fc.assert(
      fc.property(
        narrowing,
        fc.array(narrowing, { maxLength: 3 }),
        target,
        channel,
        fc.integer({ min: 0, max: 6 }),
        (wanted, held, one, channelId, now) => {
          const given = narrowedWithin(wanted, held);
          return (
            !given ||
            !covers(given, one, channelId, now) ||
            held.some((its) => covers(its, one, channelId, now))
          );
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test('is all that was wanted by name, or nothing', () => {
    fc.assert(
      fc.property(
        narrowing,
        fc.array(narrowing, { maxLength: 3 }),
        target,
        channel,
        (wanted, held, one, channelId) => {
          const given = narrowedWithin(wanted, held);
          // By a name that is no pattern's id.
          const named = { ...one, id: 'no-id' };
          return !given || covers(given, named, channelId, 0) === covers(wanted, named, channelId, 0);
        },
      ),
    );
  });

  test('what somebody holds themselves is within it, and what has no end only within what has none', () => {
    fc.assert(
      fc.property(narrowing, (held) => {
        expect(narrowedWithin(held, [held])).toMatchObject(held.on ? { on: [...new Set(held.on)] } : {});
        expect(narrowedWithin(asItStands(held), [held]) === undefined).toBe(false);
        expect(narrowedWithin(asItStands({ ...held, until: undefined }), [held]) === undefined).toBe(
          held.until !== undefined,
        );
      }),
    );
  });

  it.each([
    ['staging-1', ['staging-*'], 'name:staging-1'],
    ['staging-a*', ['staging-*'], 'staging-a*'],
    ['STAGING-*', ['staging-*'], 'STAGING-*'],
    ['name:staging-1', ['staging-*'], 'name:staging-1'],
    ['101', ['101'], '101'],
    ['101', ['*'], '101'],
    ['101', ['staging-*'], undefined],
    ['*', ['staging-*'], undefined],
    ['staging*', ['staging-*'], undefined],
    ['*-1', ['staging-*', 'prod-*'], undefined],
    ['a*b', ['a*', '*b'], 'a*b'],
    ['prod-1', ['prod-'], undefined],
  ])('%s of %j is %s', (given, held, as) => {
    expect(patternWithin(given, held)).toBe(as);
  });
});

test('two patterns overlap where a name is meant by both, and one without a star where the other means it', () => {
  const isNamed = (one: string, name: string): boolean => isMeant([one], { id: 'no id', name });
  fc.assert(
    fc.property(pattern, pattern, word, (one, other, name) => {
      if (isNamed(one, name) && isNamed(other, name)) expect(overlap(one, other)).toBe(true);
      expect(overlap(name, other)).toBe(isNamed(other, name));
      expect(overlap(one, other)).toBe(overlap(other, one));
    }),
    { numRuns: 3_000 },
  );
  expect(overlap('staging-*', '*-1')).toBe(true);
  expect(overlap('staging-*', 'prod-*')).toBe(false);
});

describe('filters', () => {
  const within = (on: readonly string[] | undefined): boolean =>
    narrowedWithin({ on }, [{ on: ['staging-*'] }]) !== undefined;
  it.each([
    [['name:staging-*', 'status:running'], true, true],
    [['name:*'], true, false],
    [['name:*-1'], true, false],
    [['name:staging-1,staging-2'], true, true],
    [['name:staging-1,prod-1'], false, false],
    [['-name:prod-1', 'name:staging-*'], false, true],
    [['status:running'], true, false],
    [['-name:staging-1'], true, false],
  ])('%j can be known: %s, and match nothing else: %s', (filters, isKnown, isWithin) => {
    expect(mayKnowFilters(filters, (one) => isMet(one, [{ on: ['staging-*'] }]))).toBe(isKnown);
    expect(areFiltersWithin(filters, within)).toBe(isWithin);
  });
});
