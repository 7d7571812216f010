import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import { adapter as instanceHosting } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { baseOf, isId } from '../../src/platform/hosting/address.ts';
import { checkId } from '../../src/platform/hosting/calls.ts';
import { POWERS } from '../../src/platform/hosting/service.ts';
import { anyText } from '../support/any-text.ts';
import { PURE_RUNS, runs } from '../support/runs.ts';

/** The path of every call that has an id in it. */
const { instances, addons } = instanceHosting;
const pathsOf = (id: string): readonly (string | undefined)[] => [
  instances.one(id).path,
  ...POWERS.map((power) => instances.power(id, power).path),
  instances.remove?.(id).path,
  addons?.add?.(id, { type: 'llm' }).path,
  addons?.remove?.(id).path,
];

const nasty = fc.oneof(
  anyText(),
  fc.string({
    unit: fc.constantFrom(
      '.',
      '/',
      '%',
      '2',
      'e',
      '\\',
      '#',
      '?',
      ':',
      '@',
      ';',
      '\n',
      '\0',
      'a',
      '-',
      '_',
      '$',
      '&',
    ),
  }),
  fc.stringMatching(/^[A-Za-z0-9_-]{1,70}$/),
);

test('any text is either refused as an id or stands in each path as one segment', () => {
  fc.assert(
    fc.property(nasty, (id) => {
      if (!isId(id)) {
        expect(() => checkId('testing', id)).toThrow(HostingError);
        return;
      }
      checkId('testing', id);
      for (const [nth, path] of pathsOf(id).entries()) {
        const url = new URL(`/api/v1${path}`, 'https://api.example.test');
        const wanted = `/api/v1${pathsOf('ID')[nth]?.replace('ID', encodeURIComponent(id))}`;
        expect([url.origin, url.pathname, url.search, url.hash]).toEqual([
          'https://api.example.test',
          wanted,
          '',
          '',
        ]);
      }
    }),
    { numRuns: PURE_RUNS },
  );
});

test.each([
  '42',
  'a',
  'srv-1',
  '0f8fad5b-d9cb-469f-a165-70867728950e',
  'A_b-9',
  'a.b',
  'i:1',
  'x'.repeat(128),
])('%s is an id', (id) => expect(isId(id)).toBe(true));

test.each(['', '-1', '_a', '.', '..', '.a', 'a/b', '%41', 'a b', 'a\n', '\na', 'é', '１', 'x'.repeat(129)])(
  '%j is no id',
  (id) => expect(isId(id)).toBe(false),
);

test.each([
  ['https://api.example.test', 'https://api.example.test', '/api/v1'],
  ['https://api.example.test/', 'https://api.example.test', '/api/v1'],
  ['https://api.example.test//', 'https://api.example.test', '/api/v1'],
  ['https://api.example.test/api/v1', 'https://api.example.test', '/api/v1'],
  ['https://api.example.test/api/v1/', 'https://api.example.test', '/api/v1'],
  ['https://api.example.test:8443/api/v1///', 'https://api.example.test:8443', '/api/v1'],
  ['https://example.test/hosting', 'https://example.test', '/hosting/api/v1'],
  ['https://example.test/hosting/api/v1', 'https://example.test', '/hosting/api/v1'],
  ['https://example.test/notapi/v1', 'https://example.test', '/notapi/v1/api/v1'],
  ['https://user:pass@example.test/?q=1#f', 'https://example.test', '/api/v1'],
])('%s is %s and %s', (url, origin, path) => {
  expect(baseOf(url, '/api/v1')).toEqual({ origin, path });
});

test('a base is the same with and without its prefix, slash or both, and the prefix stands there once', () => {
  const segment = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 3 }), (segments) => {
      const plain = ['https://h.test', ...segments].join('/');
      const bases = ['', '/', '/api/v1', '/api/v1/'].map((ending) => baseOf(`${plain}${ending}`, '/api/v1'));
      for (const base of bases) expect(base).toEqual(bases[0]);
      expect(bases[0]?.path.split('/api/v1')).toHaveLength(2);
    }),
    { numRuns: runs(20_000) },
  );
});
