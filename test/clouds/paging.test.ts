import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { runs } from '../support/runs.ts';
import { fieldOf, KINDS, listOf, openTest } from './calling.ts';

type Test = Awaited<ReturnType<typeof openTest>>;

const named = KINDS.map((each) => [each.kind, each] as const);

test.each(named)(
  '%s: a walk to the end sees every machine once and in order, at any size',
  async (_name, kind) => {
    const names = Array.from({ length: 23 }, (_, index) => `m-${index}`);
    const opened = await openTest({ kind: kind.kind, machines: names.map((name) => ({ name })) });
    const extra = opened.cloud.machines().map(({ name }) => name);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 23 }),
        async (size, count) => {
          const machines = opened.cloud.machines();
          for (const { id } of machines.slice(count)) opened.cloud.remove(id);
          while (opened.cloud.machines().length < count) opened.cloud.add({ name: `m-${extra.push('')}` });
          const walked = await walk(opened, size);
          expect(walked.ids).toEqual(opened.cloud.machines().map(({ id }) => id));
          expect(walked.totals).toEqual(walked.totals.map(() => count));
          expect(walked.pages).toBe(Math.max(1, Math.ceil(count / size)));
        },
      ),
      { numRuns: runs(300) },
    );
  },
);

test.each(named)(
  '%s: pages have the default size of the cloud, and never more than its maximum',
  async (_name, kind) => {
    const machines = Array.from({ length: kind.maxSize + 1 }, (_, index) => ({ name: `m-${index}` }));
    const { get, list, records } = await openTest({ kind: kind.kind, machines });
    const countOf = async (target: string): Promise<number> =>
      listOf((await get(target)).json, records).length;
    expect(await countOf(list)).toBe(kind.defaultSize);
    expect(await countOf(`${list}?per_page=${kind.maxSize}`)).toBe(kind.maxSize);
    expect(await countOf(`${list}?per_page=${kind.maxSize + 1}`)).toBe(kind.maxSize);
  },
);

test.each(named)('%s: a test can make the pages smaller than what is asked for', async (_name, kind) => {
  const machines = Array.from({ length: 7 }, (_, index) => ({ name: `m-${index}` }));
  const opened = await openTest({ kind: kind.kind, machines, maxPageSize: 3 });
  expect(await walk(opened, 50)).toMatchObject({
    pages: 3,
    ids: opened.cloud.machines().map(({ id }) => id),
  });
});

test.each(named)('%s: a page size that is no number above zero is refused', async (_name, kind) => {
  const { get, list } = await openTest({ kind: kind.kind });
  for (const size of ['0', '-1', 'x', '']) {
    expect((await get(`${list}?per_page=${size}`)).status).toBe(kind.kind === 'vultr' ? 400 : 422);
  }
});

test('DigitalOcean: the next page is a whole address that keeps the filters', async () => {
  const machines = [1, 2, 3].map((number) => ({ name: `m-${number}`, tags: ['a&b'] }));
  const { get, url } = await openTest({ kind: 'digitalocean', machines });
  const first = await get('/v2/droplets?tag_name=a%26b&per_page=2');
  const next = String(fieldOf(first.json, 'links', 'pages', 'next'));
  expect(next.startsWith(`${url}/v2/droplets?`)).toBe(true);
  expect(Object.fromEntries(new URL(next).searchParams)).toEqual({
    tag_name: 'a&b',
    per_page: '2',
    page: '2',
  });
  const last = await get(next);
  expect(listOf(last.json, 'droplets')).toHaveLength(1);
  expect(Object.keys(Object(fieldOf(last.json, 'links', 'pages')))).toEqual(['first', 'prev']);
});

test('DigitalOcean: a single page has no links, and a last one has none where a test wants that', async () => {
  const { get } = await openTest({ kind: 'digitalocean', hasBareLastPage: true });
  expect(fieldOf((await get('/v2/droplets')).json, 'links')).toEqual({});
  expect(fieldOf((await get('/v2/droplets?per_page=1')).json, 'links', 'pages')).toHaveProperty('next');
  expect(fieldOf((await get('/v2/droplets?per_page=1&page=2')).json, 'links')).toEqual({});
});

test('Hetzner: the total may be null, and the pages are walked all the same', async () => {
  const opened = await openTest({ kind: 'hetzner', hidesTotal: true });
  const first = await opened.get('/v1/servers?per_page=1');
  expect(fieldOf(first.json, 'meta', 'pagination')).toEqual({
    page: 1,
    per_page: 1,
    previous_page: null,
    next_page: 2,
    last_page: null,
    total_entries: null,
  });
  expect((await walk(opened, 1)).ids).toHaveLength(2);
});

test('Hetzner: a deletion in the middle of a walk moves the later pages', async () => {
  const machines = [1, 2, 3].map((number) => ({ name: `m-${number}` }));
  const { get, cloud } = await openTest({ kind: 'hetzner', machines });
  await get('/v1/servers?per_page=1');
  cloud.remove('m-1');
  const second = await get('/v1/servers?per_page=1&page=2');
  expect(listOf(second.json, 'servers').map(({ name }) => name)).toEqual(['m-3']);
});

test('Vultr: a page leads back to the one before it, and the first one to none', async () => {
  const machines = [1, 2, 3, 4].map((number) => ({ name: `m-${number}` }));
  const { get } = await openTest({ kind: 'vultr', machines });
  const labels: unknown[][] = [];
  let cursor = '';
  const turn = async (link: 'next' | 'prev'): Promise<void> => {
    const { json } = await get(`/v2/instances?per_page=2&cursor=${encodeURIComponent(cursor)}`);
    labels.push(listOf(json, 'instances').map(({ label }) => label));
    cursor = z.string().parse(fieldOf(json, 'meta', 'links', link));
  };
  await turn('next');
  await turn('prev');
  await turn('prev');
  expect(labels).toEqual([
    ['m-1', 'm-2'],
    ['m-3', 'm-4'],
    ['m-1', 'm-2'],
  ]);
  expect(cursor).toBe('');
});

test('Vultr: a deletion in the middle of a walk moves nothing, and a cursor that is none is refused', async () => {
  const machines = [1, 2, 3].map((number) => ({ name: `m-${number}` }));
  const { get, cloud } = await openTest({ kind: 'vultr', machines });
  const first = await get('/v2/instances?per_page=1');
  cloud.remove('m-1');
  const cursor = encodeURIComponent(String(fieldOf(first.json, 'meta', 'links', 'next')));
  const second = await get(`/v2/instances?per_page=1&cursor=${cursor}`);
  expect(listOf(second.json, 'instances').map(({ label }) => label)).toEqual(['m-2']);
  expect((await get('/v2/instances?cursor=zzz')).status).toBe(400);
});

test('filters pick machines by what they are called and by how they are marked', async () => {
  const one = { name: 'web-1', tags: ['prod'], labels: { env: 'prod', tier: 'web' } };
  const others = [
    { name: 'db-1', labels: { env: 'prod' } },
    { name: 'dev', labels: { env: 'dev' } },
  ];
  const gpu = { name: 'model', size: 'gpu-h100x1-80gb' };
  const picked = async (kind: 'digitalocean' | 'hetzner' | 'vultr', query: string): Promise<string[]> => {
    const { get, list, records, cloud } = await openTest({
      kind,
      machines: [one, ...others, ...(kind === 'digitalocean' ? [gpu] : [])],
    });
    const { json } = await get(`${list}?${query}`);
    return idsOf(json, records).map((id) => cloud.machine(id).name);
  };
  expect(await picked('digitalocean', 'name=WEB-1')).toEqual(['web-1']);
  expect(await picked('digitalocean', 'tag_name=prod')).toEqual(['web-1']);
  expect(await picked('digitalocean', '')).toEqual(['web-1', 'db-1', 'dev']);
  expect(await picked('digitalocean', 'type=gpus')).toEqual(['model']);
  expect(await picked('vultr', 'label=db-1')).toEqual(['db-1']);
  expect(await picked('vultr', 'tag=prod')).toEqual(['web-1']);
  expect(await picked('vultr', 'region=ams')).toEqual([]);
  expect(await picked('hetzner', 'name=web-1')).toEqual(['web-1']);
  expect(await picked('hetzner', 'status=off&status=deleting')).toEqual([]);
  expect(await picked('hetzner', 'label_selector=env=prod,!tier')).toEqual(['db-1']);
  expect(await picked('hetzner', 'label_selector=env!=prod')).toEqual(['dev']);
  expect(await picked('hetzner', 'sort=name:desc')).toEqual(['web-1', 'dev', 'db-1']);
});

/** Goes through the list by the cloud's own way of paging. */
async function walk({ kind, list, records, get }: Test, size: number) {
  const ids: string[] = [];
  const totals: unknown[] = [];
  let pages = 0;
  let target: string | undefined = `${list}?per_page=${size}`;
  while (target !== undefined) {
    const { json }: { json: unknown } = await get(target);
    ids.push(...idsOf(json, records));
    totals.push(
      kind === 'hetzner'
        ? fieldOf(json, 'meta', 'pagination', 'total_entries')
        : fieldOf(json, 'meta', 'total'),
    );
    target = nextOf(json, `${list}?per_page=${size}`);
    pages += 1;
  }
  return { ids, totals, pages };
}

/** Where the next page is, in the words of any of the three; undefined on the last one. */
const nextPage = z.looseObject({
  links: z.looseObject({ pages: z.looseObject({ next: z.string().optional() }).optional() }).optional(),
  meta: z.looseObject({
    pagination: z.looseObject({ next_page: z.int().nullable() }).optional(),
    links: z.looseObject({ next: z.string() }).optional(),
  }),
});

function nextOf(json: unknown, first: string): string | undefined {
  const { links, meta } = nextPage.parse(json);
  if (meta.pagination?.next_page) return `${first}&page=${meta.pagination.next_page}`;
  if (meta.links?.next) return `${first}&cursor=${encodeURIComponent(meta.links.next)}`;
  return links?.pages?.next;
}

function idsOf(json: unknown, records: string): string[] {
  return listOf(json, records).map(({ id }) => (typeof id === 'number' ? `${id}` : z.string().parse(id)));
}
