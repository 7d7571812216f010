import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instanceHosting } from '../../src/hosting/adapters/instance-hosting.ts';
import { type PageAnswer, type PageRef, readPaging } from '../../src/hosting/next-page.ts';

const ORIGIN = 'https://api.example.test';
const PATH = '/api/v1/instances';
const read = (
  answer: Partial<PageAnswer>,
  { path = PATH, count = 1, ...here }: Partial<PageRef> & { count?: number } = {},
) => readPaging(instanceHosting, ORIGIN, { path, ...here }, { headers: {}, body: {}, ...answer }, count);
const next = (body: unknown, headers: Record<string, string> = {}, path = PATH): string | undefined => {
  const found = read({ headers, body }, { path }).next;
  return typeof found === 'string' ? undefined : found.path;
};

test.each([
  [{ meta: { next_cursor: 'abc' } }, `${PATH}?cursor=abc`],
  [{ next_cursor: 'a b&c=d/../#' }, `${PATH}?cursor=a+b%26c%3Dd%2F..%2F%23`],
  [{ meta: { cursor: { next: 7 } } }, `${PATH}?cursor=7`],
  [{ meta: { links: { next: `${ORIGIN}${PATH}?page=2` } } }, `${PATH}?page=2`],
  [{ links: { next: '?page=2' } }, `${PATH}?page=2`],
  [{ links: { pages: { next: '/api/v1/other?page=2#x' } } }, '/api/v1/other?page=2'],
  [{ meta: { pagination: { next_page: 3 } } }, `${PATH}?page=3`],
  [{ meta: { page: 1, total_pages: 2 } }, `${PATH}?page=2`],
  [{ meta: { current_page: 4, last_page: 5 } }, `${PATH}?page=5`],
  [{ meta: { page: '1', pages: '2' } }, `${PATH}?page=2`],
  [{ meta: { page: 2, total_pages: 2 } }, undefined],
  [{ meta: { next_cursor: null } }, undefined],
  [{ meta: { next_cursor: '' } }, undefined],
  [{ meta: { page: 1, total_pages: 'many' } }, undefined],
  [{ links: { next: 'https://evil.example.test/api/v1/instances?page=2' } }, undefined],
  [{ links: { next: 'http://api.example.test/api/v1/instances?page=2' } }, undefined],
  [{ links: { next: 'https://api.example.test:8443/?page=2' } }, undefined],
  [{ links: { next: '//evil.example.test/' } }, undefined],
  [{ links: { next: 'http://[' } }, undefined],
  [undefined, undefined],
  [[], undefined],
])('after %j comes %s', (body, path) => {
  expect(next(body)).toBe(path);
});

test.each([
  [`<${ORIGIN}${PATH}?page=2>; rel="next"`, `${PATH}?page=2`],
  [`<${ORIGIN}${PATH}?page=1>; rel="prev", <${ORIGIN}${PATH}?page=3>; rel="next"`, `${PATH}?page=3`],
  [`<?page=2>; rel=next`, `${PATH}?page=2`],
  [`<${ORIGIN}${PATH}?page=1>; rel="prev"`, undefined],
  [`<https://evil.example.test/>; rel="next"`, undefined],
  [`<?page=2>; rel="next"${' '.repeat(5_000)}`, undefined],
  ['<'.repeat(4_000), undefined],
  [`<${'>;'.repeat(1_900)}`, undefined],
])('a Link header %.60j leads to %s', (link, path) => {
  expect(next({ data: [] }, { link })).toBe(path);
});

test('other parts of the query stay', () => {
  expect(next({ meta: { page: 1, pages: 3 } }, {}, `${PATH}?page=1&per_page=25`)).toBe(
    `${PATH}?page=2&per_page=25`,
  );
});

test('whatever a service answers, the next page is a path of the same origin', () => {
  const value = fc.oneof(
    fc.webUrl(),
    fc.string(),
    fc.jsonValue(),
    fc.constantFrom('//evil.test', '\\\\evil.test', '/\\evil.test', 'https:evil', '@evil', '../../../x'),
  );
  const body = fc.record(
    {
      links: fc.record({ next: value, pages: fc.record({ next: value }) }, { requiredKeys: [] }),
      meta: fc.record(
        {
          next_cursor: value,
          links: fc.record({ next: value }),
          page: value,
          total_pages: value,
          next_page: value,
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(body, fc.string(), (given, link) => {
      const path = next(given, { link });
      return path === undefined || (path.startsWith('/') && new URL(`${ORIGIN}${path}`).origin === ORIGIN);
    }),
    { numRuns: 10_000 },
  );
});
