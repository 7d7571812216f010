import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/platform/log/log.ts';
import { CANARIES } from './canaries.ts';
import { PURE_RUNS, runs } from '../support/runs.ts';

const redact = createRedactor(CANARIES);

describe('a secret never comes out', () => {
  test.each(CANARIES)('%s: plain, in JSON, in a URL, in a header, twice in a line', (canary) => {
    const shapes = [
      canary,
      `token ${canary}!`,
      JSON.stringify({ deep: [{ token: canary }] }),
      `https://h.test/?token=${encodeURIComponent(canary)}&x=1`,
      `Authorization: Bearer ${canary}`,
      `redis://user:${canary}@h:1`,
      `${canary}${canary} ${canary}`,
    ];
    for (const shape of shapes) {
      const line = redact(shape);
      expect(line).toContain('[hidden]');
      expect(line).not.toContain(canary);
      expect(line).not.toContain(encodeURIComponent(canary));
    }
  });

  test('wherever in a line it stands', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CANARIES), fc.string(), fc.string(), (canary, before, after) => {
        return !redact(`${before}${canary}${after}`).includes(canary);
      }),
      { numRuns: PURE_RUNS },
    );
  });

  test('where one secret is the beginning of another', () => {
    const both = createRedactor(['abcd1234', 'abcd1234-and-more']);
    expect(both('x abcd1234-and-more y abcd1234 z')).toBe('x [hidden] y [hidden] z');
  });
});

describe('what has the shape of a secret is hidden though nobody named it:', () => {
  test.each([
    'xoxb-000000000000-000000000000-XXXXXXXXXXXX',
    'xoxp-123456789',
    'xoxe-1-My0xLTEyMzQ1',
    'xapp-1-A01-123-abcdef',
    'oc_live_0123456789',
    'dop_v1_0123456789abcdef',
    'ucat_01DQE3AJDEBFEKECFM558TGH2F',
    `lamplighter_T0LANTERN01..${'a'.repeat(22)}.${'b'.repeat(43)}`,
    `lamplighter_T0LANTERN01.labs.${'-'.repeat(22)}.${'_'.repeat(43)}`,
  ])('%s', (secret) => {
    expect(redact(`a ${secret} b`)).toBe('a [hidden] b');
    expect(redact(`{"a":"${secret}"}`)).toBe('{"a":"[hidden]"}');
  });

  test('whatever follows Bearer', () => {
    expect(redact('Authorization: Bearer abc.def-123 next')).toBe('Authorization: Bearer [hidden] next');
    expect(redact('{"authorization":"Bearer abc"}')).toBe('{"authorization":"Bearer [hidden]"}');
  });
});

test('what holds no secret comes out as it is', () => {
  const clean = createRedactor(['s3cret-value']);
  fc.assert(
    fc.property(
      fc.string(),
      (line) => /xox|xapp|oc_live|_v1_|Bearer|s3cret/.test(line) || clean(line) === line,
    ),
    { numRuns: PURE_RUNS },
  );
});

test('a secret of three letters or none is not sought, or nothing could be read any more', () => {
  expect(createRedactor(['', 'abc'])('abc and the rest')).toBe('abc and the rest');
});

test('a redacted JSON line is still JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...CANARIES), (value, canary) => {
      expect(() => JSON.parse(redact(JSON.stringify({ value, canary })))).not.toThrow();
    }),
    { numRuns: runs(30_000) },
  );
});
