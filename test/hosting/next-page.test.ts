import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instanceHostingTable } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { type PageAnswer, readPaging } from '../../src/platform/hosting/table/next-page.ts';
import type { PageRef } from '../../src/platform/hosting/service.ts';
import { runs } from '../support/runs.ts';

const ORIGIN = 'https://api.example.test';
const PATH = '/api/v1/instances';
const read = (
  answer: Partial<PageAnswer>,
  { path = PATH, count = 1, ...here }: Partial<PageRef> & { count?: number } = {},
) =>
  readPaging(
    instanceHostingTable,
    { origin: ORIGIN },
    { path, ...here },
    { headers: {}, body: {}, ...answer },
    count,
  );
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
  [{ meta: { pagination: { current_page: 3, last_page: 4 } } }, `${PATH}?page=4`],
  [{ meta: { page: '1', pages: '2' } }, `${PATH}?page=2`],
  [{ meta: { page: 2, total_pages: 2 } }, undefined],
  [{ meta: { next_cursor: null } }, undefined],
  [{ meta: { next_cursor: '' } }, undefined],
  [{ meta: { page: 1, total_pages: 'many' } }, undefined],
  [{ links: { next: 'https://evil.example.test/api/v1/instances?page=2' } }, undefined],
  [{ links: { next: 'http://api.example.test/api/v1/instances?page=2' } }, undefined],
  [{ links: { next: 'https://api.example.test:8443/?page=2' } }, undefined],
  [{ links: { next: '//evil.example.test/' } }, undefined],
  // Resolved once it is a path of the service, and resolved again it names a host.
  [{ links: { next: `${ORIGIN}//evil.example.test/api/v1/instances?page=2` } }, undefined],
  [{ links: { next: '/.//evil.example.test/?page=2' } }, undefined],
  [{ links: { next: '\\\\evil.example.test\\' } }, undefined],
  [{ links: { next: 'file:///etc/passwd' } }, undefined],
  [{ links: { next: 'javascript:alert(1)' } }, undefined],
  [{ links: { next: 'http://[' } }, undefined],
  [undefined, undefined],
  [[], undefined],
  // As other services say it.
  [{ page: 1, pages: 3 }, `${PATH}?page=2`],
  [{ page: '2', total_pages: '3' }, `${PATH}?page=3`],
  [{ _pagination: { page: 1, total_pages: 2 } }, `${PATH}?page=2`],
  [{ has_more: true, next_token: 'abc' }, `${PATH}?next_token=abc`],
  [{ nextPageToken: 'abc' }, `${PATH}?pageToken=abc`],
  [{ continuation_token: 'a/b' }, `${PATH}?continuation_token=a%2Fb`],
  [{ paging: { cursors: { after: 'x9' } } }, `${PATH}?after=x9`],
  [{ meta: { links: { next: 'bmV4dA==' } } }, `${PATH}?cursor=bmV4dA%3D%3D`],
  [{ _links: { next: { href: '/api/v1/instances?page=2' } } }, `${PATH}?page=2`],
  [{ next: 2, previous: null }, `${PATH}?page=2`],
  [{ offset: 0, limit: 1, total: 3 }, `${PATH}?offset=1`],
])('after %j comes %s', (body, path) => {
  expect(next(body)).toBe(path);
});

test.each([
  [`<${ORIGIN}${PATH}?page=2>; rel="next"`, `${PATH}?page=2`],
  [`<${ORIGIN}${PATH}?page=1>; rel="prev", <${ORIGIN}${PATH}?page=3>; rel="next"`, `${PATH}?page=3`],
  [`<?page=2>; rel=next`, `${PATH}?page=2`],
  [`<${ORIGIN}${PATH}?page=1>; rel="prev"`, undefined],
  [`<https://evil.example.test/>; rel="next"`, undefined],
  [`<${ORIGIN}//evil.example.test/x>; rel="next"`, undefined],
  [`<?page=2>; title="a, <?page=9>; rel=next"; rel="last next"`, `${PATH}?page=2`],
  [`<?page=1>; rel=prev, <?page=3>; REL = next`, `${PATH}?page=3`],
  [`<?page=2>; rel="nextish"`, undefined],
  [`<?page=2>; rel="next"${' '.repeat(5_000)}`, undefined],
  ['<'.repeat(4_000), undefined],
  [`<${'>;'.repeat(1_900)}`, undefined],
])('a Link header %.60j leads to %s', (link, path) => {
  expect(next({ data: [] }, { link })).toBe(path);
});

test.each([{ meta: { total_pages: 4 } }, { meta: { pagination: { last_page: 4 } } }])(
  'after a page that only says how many there are, %j, comes the one after it',
  (body) => {
    const pages = ['', '?page=2', '?page=3', '?page=4'].map((query) => next(body, {}, `${PATH}${query}`));
    expect(pages).toEqual([`${PATH}?page=2`, `${PATH}?page=3`, `${PATH}?page=4`, undefined]);
  },
);

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
    { numRuns: runs(10_000) },
  );
});

test.each([
  ['has_more: false, whatever token stands beside it', { has_more: false, next_token: 'abc' }, 'last'],
  ['a token that is null', { next_cursor: null }, 'last'],
  ['the last of its pages', { page: 3, pages: 3 }, 'last'],
  ['that it has more, and not where', { has_more: true }, 'unknown'],
  ['a next page at another origin', { links: { next: 'https://evil.example.test/?page=2' } }, 'unknown'],
  ['nothing', {}, 'silent'],
] as const)('a page that says %s is known as that', (_what, body, ending) => {
  expect(read({ body }).next).toBe(ending);
});

test('part of a list that is answered by ranges goes on by ranges, and a header is never made of anything else', () => {
  const part = { status: 206, body: [] };
  const range = (headers: Record<string, string>) => read({ ...part, headers }, { count: 25 }).next;
  expect(range({ 'next-range': 'id ]9..; max=25' })).toEqual({ path: PATH, range: 'id ]9..; max=25' });
  expect(range({ 'content-range': 'items 0-24/60' })).toEqual({ path: PATH, range: 'items=25-49' });
  expect(range({ 'content-range': '25-49/60' })).toEqual({ path: PATH, range: '50-74' });
  expect(range({ 'content-range': 'items 50-59/60' })).toBe('unknown');
  expect(range({ 'next-range': 'id\r\nAuthorization: x' })).toBe('unknown');
  expect(range({})).toBe('unknown');
});

test('the number of pages is read from a header as well', () => {
  const headers = { 'x-page': '1', 'x-total-pages': '2', 'x-total-count': '60' };
  expect(next([], headers)).toBe(`${PATH}?page=2`);
});

test('a total is read wherever it stands, and a number of this page is none', () => {
  const totalOf = (body: unknown, headers = {}) => read({ body, headers }, { count: 25 }).total;
  expect(totalOf({ meta: { pagination: { total_entries: 60 } } })).toBe(60);
  expect(totalOf({}, { 'x-total-count': '60' })).toBe(60);
  expect(totalOf({ count: 60 })).toBe(60);
  expect(totalOf({ count: 25 })).toBeUndefined();
  expect(totalOf({ total: '12.50' })).toBeUndefined();
});

test('a page is full by the size that it states, else by a common one', () => {
  const isFull = (count: number, body: unknown = {}, path = PATH) => read({ body }, { count, path }).isFull;
  expect([24, 25, 26, 50, 100].map((count) => isFull(count))).toEqual([false, true, false, true, true]);
  expect(isFull(25, { meta: { per_page: 100 } })).toBe(false);
  expect(isFull(7, { limit: 7 })).toBe(true);
  expect(isFull(40, {}, `${PATH}?page=1&per_page=40`)).toBe(true);
  expect(isFull(0, { limit: 0 })).toBe(false);
});
