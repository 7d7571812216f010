import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Ask } from '../../src/core/ask/ask.ts';
import { isTyped } from '../../src/core/lookup/resolve.ts';
import { PURE_RUNS } from '../support/runs.ts';

const ask = (typed?: string): Ask => ({
  id: 'aBcDeFgHiJkLmNoPqRsTuV',
  route: 'instances.delete',
  words: [],
  ...(typed === undefined ? {} : { typed }),
  actor: { userId: 'U1' },
  place: { channelId: 'C1' },
  replaces: false,
  askedAt: 0,
});

describe('a name counts as typed', () => {
  test.each([
    ['letter for letter', 'web-1', 'web-1'],
    ['with spaces around it', '  web-1\n', 'web-1'],
    ['with something invisible in it, as phones put it there', 'web\u200B-1\uFEFF', 'web-1'],
    ['with something invisible between two spaces', 'web \u200B 1', 'web 1'],
    ['without what is invisible in the name', 'web-1', 'web\u200B-1'],
    ['with the variant of a letter that a phone puts there', 'web-1\uFE0F', 'web-1'],
    ['with one space for several', 'web 1', 'web  1'],
    ['with a space for one that does not break', 'web 1', 'web\u00A01'],
    ['in the other way to write one letter', 'cafe\u0301', 'caf\u00E9'],
  ])('%s: %j', (_name, typed, name) => expect(isTyped(ask(typed), name)).toBe(true));
});

describe('a name does not count as typed', () => {
  test.each([
    ['where nothing was typed', undefined, 'web-1'],
    ['where the field was left empty', '', 'web-1'],
    ['in another case', 'Web-1', 'web-1'],
    ['by its beginning', 'web', 'web-1'],
    ['with more after it', 'web-1!', 'web-1'],
    ['without its spaces', 'web1', 'web 1'],
    ['with a dash that only looks the same', 'web\u20111', 'web-1'],
    ['by its id', '101', 'web-1'],
    ['in quotes', '"web-1"', 'web-1'],
    ['by a letter of another alphabet', 'w\u0435b-1', 'web-1'],
    ['by what it was cut to for the eye', 'x'.repeat(299) + '…', 'x'.repeat(400)],
  ])('%s: %j', (_name, typed, name) => expect(isTyped(ask(typed), name)).toBe(false));

  test.each([
    ['', '(no name)'],
    [' ', '(no name)'],
    ['\u200B', '(no name)'],
    [' ', ''],
  ])('by nothing at all: %j for %j', (typed, name) => expect(isTyped(ask(typed), name)).toBe(false));
});

test('an instance whose name nobody can see is confirmed by what it is called instead', () => {
  expect(isTyped(ask('(no name)'), '\u200B')).toBe(true);
});

test('only the very letters of a name count, whatever else is typed', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'A', '-', ' ', '\u200B', '\u00A0', 'é', 'e', '\u0301', '1'),
  });
  const seen = (one: string): string =>
    one.replaceAll('\u200B', '').normalize('NFC').split(/\s+/).filter(Boolean).join(' ');
  fc.assert(
    fc.property(text, text, (typed, name) => {
      if (seen(typed) === '' || seen(name) === '') return true;
      return isTyped(ask(typed), name) === (seen(typed) === seen(name)) && isTyped(ask(name), name);
    }),
    { numRuns: PURE_RUNS },
  );
});
