import { expect, test } from 'vitest';
import type { PagingStyle, Variant } from '../../sandbox/hosting/variant.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { openSandbox } from './hosting-caller.ts';

async function open(variant: Variant) {
  const world = worldOf(
    [instance(1, 'one'), instance(2, 'two', { status: 'stopped' }), instance(3, 'three')],
    {
      addons: [{ id: 9, type: 'backup', instanceId: 1 }],
      historyDays: 2,
    },
  );
  return openSandbox({ world, variant });
}
const record = (name: string): unknown => expect.objectContaining({ name });
const all = [record('one'), record('two'), record('three')];

test.each([
  ['bare', all],
  ['data', { data: all }],
  ['servers', { servers: all }],
  ['items', { items: all }],
  ['instances', { instances: all }],
  ['data.instances', { data: { instances: all } }],
] as const)('a list can come as %s', async (list, shape) => {
  expect((await (await open({ list })).get('/instances')).json).toEqual(shape);
});

test.each([
  ['data', { data: record('one') }],
  ['instance', { instance: record('one') }],
  ['bare', record('one')],
  ['one-element array', { data: [record('one')] }],
] as const)('one instance can come as %s', async (one, shape) => {
  const { get, post } = await open({ one });
  expect((await get('/instances/1')).json).toEqual(shape);
  expect((await post('/instances/1/restart')).json).toEqual(shape);
});

const nextOf: Readonly<Record<PagingStyle, (json: never, headers: Headers) => unknown>> = {
  cursor: (json: { meta: { next_cursor: unknown } }) => json.meta.next_cursor,
  'meta.links.next': (json: { meta: { links: { next: unknown } } }) => json.meta.links.next,
  next_page: (json: { meta: { pagination: { next_page: unknown } } }) => json.meta.pagination.next_page,
  total_pages: (json: { meta: { page: number; total_pages: number } }) =>
    onward(json.meta.page, json.meta.total_pages),
  pages: (json: { meta: { page: number; pages: number } }) => onward(json.meta.page, json.meta.pages),
  last_page: (json: { meta: { page: number; last_page: number } }) =>
    onward(json.meta.page, json.meta.last_page),
  'links.next': (json: { links: { next: unknown } }) => json.links.next,
  'links.pages.next': (json: { links: { pages: { next: unknown } } }) => json.links.pages.next,
  'link header': (_json, headers) => /<(.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null,
};

test.each(Object.keys(nextOf) as PagingStyle[])(
  'lists can be paged by %s, and every page is reached once',
  async (style) => {
    const { get, url } = await open({ paging: { style, size: 2 } });
    for (const path of ['/instances', '/billing/transactions']) {
      const ids: unknown[] = [];
      let next: unknown = '';
      while (next !== null) {
        const answer = await get(`${path}${queryFor(next, `${url}/api/v1${path}`)}`);
        ids.push(...(answer.json as { data: { id: number }[] }).data.map((each) => each.id));
        next = nextOf[style](answer.json as never, answer.headers);
      }
      expect(ids).toHaveLength(path === '/instances' ? 3 : 7);
      expect(new Set(ids).size).toBe(ids.length);
    }
  },
);

test.each([
  ['repeats', '?cursor=after-2', 1, 'after-2'],
  ['endless', '?cursor=after-9', 0, 'after-10'],
] as const)('a careless service %s its pages', async (mischief, query, count, cursor) => {
  const { get } = await open({ paging: { style: 'cursor', size: 2, mischief } });
  const { json } = await get(`/instances${query}`);
  expect(json).toMatchObject({ meta: { next_cursor: cursor } });
  expect((json as { data: unknown[] }).data).toHaveLength(count);
});

test('a careless service leads to another origin', async () => {
  const { get } = await open({ paging: { style: 'links.next', size: 2, mischief: 'elsewhere' } });
  const { json } = await get('/instances');
  expect(json).toMatchObject({ links: { next: 'http://elsewhere.example.test/api/v1/instances?page=2' } });
});

test('statuses can have another field, other words and another case', async () => {
  const upper = await open({
    statusField: 'power_status',
    statusWords: { running: 'active' },
    statusCase: 'upper',
  });
  expect((await upper.get('/instances/1')).json).toMatchObject({ data: { power_status: 'ACTIVE' } });
  expect((await upper.get('/instances/1')).json).not.toHaveProperty('data.status');
  const spaced = await open({ statusCase: 'spaced', statusField: 'state' });
  spaced.sandbox.changeStatus(1, 'deploy_failed');
  expect((await spaced.get('/instances/1')).json).toMatchObject({ data: { state: 'deploy failed' } });
  const dashed = await open({ statusCase: 'dashed', statusWords: { stopped: 'powered_off' } });
  expect((await dashed.get('/instances/2')).json).toMatchObject({ data: { status: 'powered-off' } });
});

test.each([
  ['empty', 204, undefined],
  ['empty object', 202, {}],
  ['action object', 201, { action: { id: 1, command: 'stop', status: 'running', resource_id: 1 } }],
] as const)(
  'a change can be answered with %s, and has happened all the same',
  async (changes, status, json) => {
    const { post, remove, sandbox } = await open({ changes });
    const answer = await post('/instances/1/stop');
    expect([answer.status, answer.json]).toEqual([status, json]);
    expect((await remove('/instances/3')).status).toBe(status);
    expect([sandbox.statusOf(1), sandbox.statusOf(3)]).toEqual(['stopping', 'deleting']);
  },
);

test.each([
  ['string', { error: 'Instance not found' }],
  ['list', { errors: [{ code: 'not_found', message: 'Instance not found' }] }],
  ['flat', { id: 'not_found', message: 'Instance not found' }],
  [
    'problem',
    { type: 'about:blank', title: 'Instance not found', status: 404, detail: 'Instance not found' },
  ],
  ['html', undefined],
  ['nothing', undefined],
] as const)('an error can be written as %s', async (errors, json) => {
  const answer = await (await open({ errors })).get('/instances/77');
  expect([answer.status, answer.json]).toEqual([404, json]);
  if (errors === 'html') expect(answer.text).toContain('<html>');
  if (errors === 'nothing') expect(answer.text).toBe('');
});

test('ids can be strings that need percent-encoding, and only those are found', async () => {
  const { get, post, remove } = await open({ idPrefix: 'srv/' });
  expect((await get('/instances')).json).toMatchObject({
    data: [{ id: 'srv/1' }, { id: 'srv/2' }, { id: 'srv/3' }],
  });
  expect((await post('/instances/srv%2F1/stop')).json).toMatchObject({ data: { id: 'srv/1' } });
  expect((await remove('/addons/srv%2F9')).json).toMatchObject({
    data: { id: 'srv/9', instance_id: 'srv/1' },
  });
  for (const id of ['1', 'srv/1', 'srv%2f', 'srv%252F1'])
    expect((await get(`/instances/${id}`)).status).toBe(404);
});

test('money can be decimal strings under other names', async () => {
  const { get } = await open({ money: 'decimal string', balanceField: 'account_balance' });
  expect((await get('/billing/summary')).json).toMatchObject({
    data: { account_balance: '1000.00', daily_claw_cost: '32.00' },
  });
  expect((await get('/billing/summary')).json).not.toHaveProperty('data.claws_balance');
  expect((await get('/billing/transactions?per_page=1')).json).toMatchObject({
    data: [{ balance_after: '1000.00' }],
  });
  expect((await get('/billing/usage')).json).toMatchObject({ data: { addons: [{ daily_claws: '12.00' }] } });
});

test('add-ons may not be offered: their endpoints are 404, and usage still shows them', async () => {
  const { get, post, remove } = await open({ addons: 'absent' });
  expect((await get('/addons')).status).toBe(404);
  expect((await post('/instances/1/addons', { addon_type: 'llm' })).status).toBe(404);
  expect((await remove('/addons/9')).status).toBe(404);
  expect((await get('/billing/usage')).json).toMatchObject({
    data: { addons: [{ id: 9, addon_type: 'backup' }] },
  });
});

test('can_* may be missing', async () => {
  const { get } = await open({ allowances: 'absent' });
  expect((await get('/instances/1')).text).not.toContain('can_');
});

test('limits can be told under other names, as seconds left, as a date, or not at all', async () => {
  const refusal = { answer: 429, done: false, retryAfterSeconds: 2 } as const;
  const delta = await open({ limitHeaders: 'RateLimit with seconds left', retryAfter: 'date' });
  delta.sandbox.failNext({}, refusal);
  const { headers } = await delta.get('/instances');
  expect([headers.get('ratelimit-reset'), headers.get('ratelimit-remaining')]).toEqual(['2', '0']);
  expect(Date.parse(headers.get('retry-after') ?? '')).toBe(delta.clock.now() + 2_000);
  const silent = await open({ limitHeaders: 'absent', retryAfter: 'absent' });
  silent.sandbox.failNext({}, refusal);
  expect(
    [...(await silent.get('/instances')).headers.keys()].filter((each) => /limit|retry/.test(each)),
  ).toEqual([]);
});

test('the key can be expected in another header', async () => {
  const { url } = await open({ auth: { header: 'X-API-Key', scheme: '' } });
  const headers = { 'x-api-key': 'oc_live_demo_harbour' };
  expect((await fetch(`${url}/api/v1/instances`, { headers })).status).toBe(200);
  const bearer = { authorization: 'Bearer oc_live_demo_harbour' };
  expect((await fetch(`${url}/api/v1/instances`, { headers: bearer })).status).toBe(401);
});

function onward(page: number, pages: number): number | null {
  return page < pages ? page + 1 : null;
}

function queryFor(next: unknown, base: string): string {
  if (next === '') return '';
  const token = String(next);
  if (token.startsWith('http')) {
    expect(token.startsWith(`${base}?`)).toBe(true);
    return token.slice(base.length);
  }
  return token.startsWith('after-') ? `?cursor=${token}` : `?page=${token}`;
}
