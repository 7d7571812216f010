import { expect, test } from 'vitest';
import type { PagingStyle, Variant } from '../../sandbox/hosting/variant.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { openSandbox } from './hosting-caller.ts';

// Without these, a variant that changes nothing would let every test of another service pass.

const world = worldOf([instance(1, 'one'), instance(2, 'two', { status: 'stopped' }), instance(3, 'three')], {
  addons: [{ id: 9, type: 'backup', instanceId: 1 }],
  historyDays: 2,
});
const open = (variant: Variant) => openSandbox({ world, variant });
const record = (name: string): unknown => expect.objectContaining({ name });
const all = [record('one'), record('two'), record('three')];
const has = (fields: object): unknown => expect.objectContaining(fields);
const data = (fields: object): unknown => has({ data: has(fields) });
const lacks = (field: string): unknown => ({
  data: expect.not.objectContaining({ [field]: expect.anything() as unknown }) as unknown,
});
const notFound = { code: 'not_found', message: 'Instance not found' };

test.each<[Variant, string, unknown]>([
  [{ list: 'bare' }, '/instances', all],
  [{ list: 'data' }, '/instances', { data: all }],
  [{ list: 'servers' }, '/instances', { servers: all }],
  [{ list: 'items' }, '/instances', { items: all }],
  [{ list: 'instances' }, '/instances', { instances: all }],
  [{ list: 'data.instances' }, '/instances', { data: { instances: all } }],
  [{ one: 'data' }, '/instances/1', { data: record('one') }],
  [{ one: 'instance' }, '/instances/1', { instance: record('one') }],
  [{ one: 'bare' }, '/instances/1', record('one')],
  [{ one: 'one-element array' }, '/instances/1', { data: [record('one')] }],
  [{ errors: 'string' }, '/instances/77', { error: 'Instance not found' }],
  [{ errors: 'list' }, '/instances/77', { errors: [notFound] }],
  [{ errors: 'flat' }, '/instances/77', { id: 'not_found', message: 'Instance not found' }],
  [{ errors: 'problem' }, '/instances/77', has({ type: 'about:blank', detail: 'Instance not found' })],
  [{ errors: 'html' }, '/instances/77', undefined],
  [{ errors: 'nothing' }, '/instances/77', undefined],
  [
    { statusField: 'power_status', statusWords: { running: 'active' }, statusCase: 'upper' },
    '/instances/1',
    data({ power_status: 'ACTIVE' }),
  ],
  [
    { statusCase: 'dashed', statusWords: { stopped: 'powered_off' } },
    '/instances/2',
    data({ status: 'powered-off' }),
  ],
  [{ idPrefix: 'srv/' }, '/instances/srv%2F1', data({ id: 'srv/1' })],
  [{ idPrefix: 'srv/' }, '/instances/1', { error: has({ code: 'not_found' }) }],
  [{ money: 'decimal string', balanceField: 'account_balance' }, '/billing/summary', lacks('claws_balance')],
  [
    { money: 'decimal string', balanceField: 'account_balance' },
    '/billing/summary',
    data({ account_balance: '1000.00', daily_claw_cost: '32.00' }),
  ],
  [{ addons: 'absent' }, '/addons', { error: has({ code: 'not_found' }) }],
  [{ addons: 'absent' }, '/billing/usage', data({ addons: [has({ id: 9, addon_type: 'backup' })] })],
  [{ allowances: 'absent' }, '/instances/1', lacks('can_start')],
])('with %o, %s is answered so', async (variant, path, json) => {
  expect((await (await open(variant)).get(path)).json).toEqual(json);
});

/** What is asked for after an answer, as the query and the Range header; null after the last. */
const nextOf: readonly (readonly [
  PagingStyle,
  (json: never, headers: Headers) => readonly [query: string, range?: string] | null,
])[] = [
  [
    'pages',
    ({ page, pages }: { page: number; pages: number }) => (page < pages ? [`?page=${page + 1}`] : null),
  ],
  [
    'cursor',
    ({ meta }: { meta: { next_cursor: string | null } }) =>
      meta.next_cursor === null ? null : [`?cursor=${meta.next_cursor}`],
  ],
  [
    'link header',
    (_json, headers) => {
      const query = /(\?[^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      return query === undefined ? null : [query];
    },
  ],
  [
    'Next-Range',
    (_json, headers) => {
      const range = headers.get('next-range');
      return range === null ? null : ['', range];
    },
  ],
];

test.each(nextOf)('lists can be paged by %s, and every page is reached once', async (style, next) => {
  const { get } = await open({ paging: { style, size: 2 } });
  for (const path of ['/instances', '/billing/transactions']) {
    const ids: unknown[] = [];
    for (let asked: ReturnType<typeof next> = ['']; asked !== null;) {
      const [query, range] = asked;
      const answer = await get(`${path}${query}`, range === undefined ? {} : { range });
      ids.push(...(answer.json as { data: { id: number }[] }).data.map((each) => each.id));
      asked = next(answer.json as never, answer.headers);
    }
    expect(ids).toHaveLength(path === '/instances' ? 3 : 7);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test.each([
  ['repeats', '?cursor=after-2', { meta: { next_cursor: 'after-2' } }],
  ['endless', '?cursor=after-9', { meta: { next_cursor: 'after-10' }, data: [] }],
] as const)('a careless service pages as %s', async (mischief, query, json) => {
  const { get } = await open({ paging: { style: 'cursor', size: 2, mischief } });
  expect((await get(`/instances${query}`)).json).toMatchObject(json);
  const away = await open({ paging: { style: 'link header', size: 2, mischief: 'elsewhere' } });
  expect((await away.get('/instances')).headers.get('link')).toContain(
    '<http://elsewhere.example.test/api/v1/instances?page=2>; rel="next"',
  );
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

test('limits can be stated under other names, as seconds left, as a date, or not at all', async () => {
  const refusal = { answer: 429, done: false, retryAfterSeconds: 2 } as const;
  const delta = await open({ limitHeaders: 'RateLimit with seconds left', retryAfter: 'date' });
  delta.sandbox.failNext({}, refusal);
  const { headers } = await delta.get('/instances');
  expect([headers.get('ratelimit-reset'), headers.get('ratelimit-remaining')]).toEqual(['2', '0']);
  expect(Date.parse(headers.get('retry-after') ?? '')).toBe(delta.clock.now() + 2_000);
  const silent = await open({ limitHeaders: 'absent', retryAfter: 'absent' });
  silent.sandbox.failNext({}, refusal);
  const names = [...(await silent.get('/instances')).headers.keys()];
  expect(names.filter((each) => /limit|retry/.test(each))).toEqual([]);
});

test('the key can be expected in another header', async () => {
  const { url } = await open({ auth: { header: 'X-API-Key', scheme: '' } });
  const status = async (headers: Record<string, string>) =>
    (await fetch(`${url}/api/v1/instances`, { headers })).status;
  expect(await status({ 'x-api-key': 'oc_live_demo_harbour' })).toBe(200);
  expect(await status({ authorization: 'Bearer oc_live_demo_harbour' })).toBe(401);
});
