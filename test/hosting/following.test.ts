import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  adapter as instanceHosting,
  instanceHostingTable,
} from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { createHostingClient } from '../../src/platform/hosting/client.ts';
import type { Answer } from '../../src/platform/hosting/answer.ts';
import type { Requester } from '../../src/platform/hosting/request.ts';
import { runs } from '../support/runs.ts';

const ORIGIN = 'https://api.example.test';
const word = fc.oneof(
  fc.string(),
  fc.nat({ max: 90 }),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('https://evil.test/?page=2', '//evil.test/x', '?page=2', '/api/v1/instances?page=3', 'abc'),
);
const {
  places,
  tokens,
  headers: named,
  commonSizes: _,
  linkToken: __,
  ...rest
} = instanceHostingTable.paging;
const names = [...Object.values(tokens), ...Object.values(rest)].flat().filter((name) => !name.includes('.'));
const tops = places.filter((place) => place !== '' && place !== 'data' && !place.includes('.'));
const ids = fc.array(fc.nat({ max: 40 }), { maxLength: 30 });
const envelope = fc.dictionary(fc.constantFrom(...names), word, { maxKeys: 3 });
const page = fc.record({
  ids,
  top: envelope,
  inner: fc.dictionary(fc.constantFrom(...tops), envelope, { maxKeys: 2 }),
  headers: fc.dictionary(
    fc.constantFrom(...Object.values(named).flat(), 'link', 'next-range', 'content-range'),
    fc.oneof(
      fc.string(),
      fc.nat({ max: 90 }).map(String),
      fc.constantFrom('<?page=2>; rel=next', 'items 0-9/60'),
    ),
    { maxKeys: 2 },
  ),
  status: fc.constantFrom(200, 206),
});

/** A service that gives these pages, one after the other, and then the last one again and again. */
function serviceOf(pages: readonly { status: number; headers: Record<string, string>; body: unknown }[]): {
  requester: Requester;
  asked: string[];
} {
  const asked: string[] = [];
  const read = async ({ path, range }: { path: string; range?: string }): Promise<Answer> => {
    asked.push(`${path} ${range ?? ''}`);
    return pages[Math.min(asked.length, pages.length) - 1]!;
  };
  return { asked, requester: { read, write: read, close: async () => undefined } };
}

test('whatever a service answers, following its pages ends, stays with it, and calls no list whole that it says is longer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(page, { minLength: 1, maxLength: 6 }),
      fc.nat({ max: 90 }),
      async (pages, total) => {
        const { requester, asked } = serviceOf(
          pages.map(({ ids: own, top, inner, headers, status }) => ({
            status,
            headers,
            // Here alone, so that it is what counts.
            body: { ...top, ...inner, data: own.map((id) => ({ id })), meta: { ...inner['meta'], total } },
          })),
        );
        const { instances, incomplete } = await createHostingClient(
          instanceHosting,
          ORIGIN,
          requester,
        ).listInstances();
        expect(asked.length).toBeLessThanOrEqual(50);
        for (const one of asked) {
          const [path = ''] = one.split(' ');
          expect(path.startsWith('/') && new URL(path, ORIGIN).origin === ORIGIN).toBe(true);
          expect(one).toMatch(/^[\x20-\x7e]*$/);
        }
        if (instances.length < total) expect(incomplete).toMatchObject({ total, isCertain: true });
        expect(new Set(instances.map(({ id }) => id)).size).toBe(instances.length);
      },
    ),
    { numRuns: runs(2_000) },
  );
});

test('a service that takes no notice of what is asked for is read once more, and its list is called incomplete', async () => {
  const body = { data: [{ id: 1 }, { id: 2 }], has_more: true, next_token: 'abc' };
  const { requester, asked } = serviceOf([{ status: 200, headers: {}, body }]);
  const list = await createHostingClient(instanceHosting, ORIGIN, requester).listInstances();
  expect([list.instances.length, list.incomplete]).toEqual([2, { read: 2, isCertain: true }]);
  expect(asked).toHaveLength(2);
});

/** The paths that are asked for below a gateway, of a list whose first page names this one as the next. */
async function followedTo(
  next: string,
  at = `${ORIGIN}/gw/hosting`,
  key = 'links',
): Promise<[string[], unknown]> {
  const where = key === 'links' ? { links: { next } } : { meta: { links: { next } } };
  const { requester, asked } = serviceOf([
    { status: 200, headers: {}, body: { data: [{ id: 1 }], ...where } },
    { status: 200, headers: {}, body: { data: [{ id: 2 }], links: { next: null } } },
  ]);
  const { incomplete } = await createHostingClient(instanceHosting, at, requester).listInstances();
  return [asked.slice(1).map((one) => one.trim()), incomplete];
}

test.each([
  ['/api/v1/instances?page=2', '/gw/hosting/api/v1/instances?page=2'],
  ['/gw/hosting/api/v1/instances?page=2', '/gw/hosting/api/v1/instances?page=2'],
  [`${ORIGIN}/api/v1/instances?page=2`, '/gw/hosting/api/v1/instances?page=2'],
  ['?page=2', '/gw/hosting/api/v1/instances?page=2'],
  ['instances?page=2', '/gw/hosting/api/v1/instances?page=2'],
])('behind a gateway a next page at %s is asked for at %s', async (next, path) => {
  for (const key of ['links', 'meta']) {
    expect(await followedTo(next, undefined, key)).toEqual([[path], undefined]);
    expect(await followedTo(next, `${ORIGIN}/gw/hosting/api/v1/`, key)).toEqual([[path], undefined]);
  }
});

test.each([
  '/admin/instances?page=2',
  '/gw/instances?page=2',
  '/gw/hosting2/api/v1/instances?page=2',
  '/api/v10/instances?page=2',
  '/api/v1/../../admin?page=2',
  '/api/v1/%2e%2e/%2e%2e/admin?page=2',
  '/gw/hosting/api/v1/..%2f..%2fadmin?page=2',
  '/api/v1\\..\\admin?page=2',
  'https://evil.test/gw/hosting/api/v1/instances?page=2',
  '//evil.test/api/v1/instances?page=2',
])('behind a gateway a next page at %s is not asked for, and the list is called incomplete', async (next) => {
  expect(await followedTo(next)).toEqual([[], { read: 1, isCertain: true }]);
});
