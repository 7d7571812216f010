import { expect, test } from 'vitest';
import { createHostingSandbox } from '../../sandbox/hosting/sandbox.ts';
import { customer, instance, outfitter, worldOf } from '../../sandbox/world.ts';
import { dataOf, listOf, openSandbox } from './hosting-caller.ts';

const theirs = { headers: { authorization: `Bearer ${outfitter.apiKey}` } };

test('the outfitter has an add-on of every sort', async () => {
  const { call } = await openSandbox();
  const list = listOf(await call('GET', '/api/v1/addons', theirs));
  const shares = list.map(({ id, current_usage, usage_limit }) => [
    id,
    typeof usage_limit === 'number' ? Number(current_usage) / usage_limit : undefined,
  ]);
  expect(Object.fromEntries(shares)).toMatchObject({ 801: 0.95, 803: 1.26, 804: undefined, 805: 0.07 });
  const byId = new Map(list.map((each) => [each['id'], each]));
  expect(byId.get(804)).toMatchObject({ tier: 'premium', usage_limit: null });
  expect(byId.get(805)).toMatchObject({ tier: null, usage_limit: 100 });
  expect(byId.get(806)).toMatchObject({ status: 'canceled', daily_claws: 0 });
  expect(byId.get(807)).toMatchObject({ status: 'hibernating', daily_claws: 12 });
  expect(byId.get(808)).toMatchObject({ addon_type: 'teleport', tier: 'beta', daily_claws: 5 });
  expect(byId.get(809)).toMatchObject({ addon_type: '<!channel> *x*', instance_name: 'canoe' });
});

test('what is neither canceled nor on something stopped is charged, known word or not', async () => {
  const { call } = await openSandbox();
  const usage = dataOf(await call('GET', '/api/v1/billing/usage', theirs)) as {
    daily_total: number;
    addons: { id: number; daily_claws: number; tier?: string }[];
  };
  expect(Object.fromEntries(usage.addons.map(({ id, daily_claws }) => [id, daily_claws]))).toEqual({
    801: 45,
    802: 12,
    803: 10,
    804: 120,
    805: 8,
    807: 12,
    808: 0,
    809: 0,
  });
  expect(usage.daily_total).toBe(105 + 10 + 10 + 45 + 12 + 10 + 120 + 8 + 12);
  expect(usage.addons.find(({ id }) => id === 805)).not.toHaveProperty('tier');
});

test('an add-on that went through is recorded as an effect, and a refused one isn’t', async () => {
  const { post, remove, sandbox } = await openSandbox();
  await post('/instances/102/addons', { addon_type: 'backup' });
  await post('/instances/102/addons', { addon_type: 'backup' });
  await remove('/addons/702');
  await remove('/addons/702');
  expect(sandbox.calls.map(({ status, hadEffect }) => [status, hadEffect])).toEqual([
    [201, true],
    [422, false],
    [200, true],
    [422, false],
  ]);
});

test.each([
  ['loses-answers', 203, true],
  ['loses-requests', 204, false],
])('%s loses what is asked about its add-ons', async (_, id, isDone) => {
  const { post, remove, sandbox } = await openSandbox();
  const there = sandbox.addAddon(id, 'storage', 'large');
  await expect(post(`/instances/${id}/addons`, { addon_type: 'llm' })).rejects.toThrow('fetch failed');
  await expect(remove(`/addons/${there}`)).rejects.toThrow('fetch failed');
  expect(sandbox.calls.map(({ status, hadEffect }) => [status, hadEffect])).toEqual([
    ['reset', isDone],
    ['reset', isDone],
  ]);
  expect(sandbox.addonsOf(id).map((each) => [each.addon_type, each.status])).toEqual(
    isDone
      ? [
          ['storage', 'canceled'],
          ['llm', 'active'],
        ]
      : [['storage', 'active']],
  );
});

test('says-503, always-503 and says-429 say so about their add-ons too, and another’s add-on is quick', async () => {
  const { post, remove, sandbox } = await openSandbox();
  const heard: number[] = [];
  for (const id of [205, 206, 209]) {
    const there = sandbox.addAddon(id, 'backup');
    heard.push((await remove(`/addons/${there}`)).status, (await remove(`/addons/${there}`)).status);
  }
  expect(heard).toEqual([503, 200, 503, 503, 429, 200]);
  expect((await post('/instances/206/addons', { addon_type: 'llm' })).status).toBe(503);
  expect((await remove('/addons/701')).status).toBe(200);
});

test('a behaviour may fail one of the two alone', async () => {
  const fault = { on: ['remove add-on'] as const, times: Infinity, answer: 500, done: true };
  const { post, remove, sandbox } = await openSandbox({
    world: worldOf([instance(1, 'web-1', { behaviour: { fault } })]),
  });
  const added = dataOf(await post('/instances/1/addons', { addon_type: 'backup' }));
  expect((await remove(`/addons/${String(added['id'])}`)).status).toBe(500);
  expect(sandbox.addonsOf(1)).toMatchObject([{ id: added['id'], status: 'canceled' }]);
});

test('somebody else can add and cancel add-ons behind the caller’s back', async () => {
  const { get, sandbox } = await openSandbox();
  const id = sandbox.addAddon(102, 'llm');
  expect(sandbox.addonsOf(102)).toMatchObject([{ id, tier: 'standard', status: 'active' }]);
  sandbox.cancelAddon(id);
  sandbox.cancelAddon(701);
  const list = listOf(await get('/addons'));
  expect(sandbox.addonsOf(102)).toEqual(list.filter((each) => each['instance_id'] === 102));
  expect(list.filter((each) => each['status'] === 'canceled').map((each) => each['id'])).toEqual([701, id]);
});

test('what somebody else can’t do in the dashboard is an error', () => {
  const sandbox = createHostingSandbox();
  expect(() => sandbox.addAddon(999, 'llm')).toThrow('no instance 999');
  expect(() => sandbox.addonsOf(999)).toThrow('no instance 999');
  expect(() => sandbox.cancelAddon(999)).toThrow('no add-on 999');
  expect(() => sandbox.addAddon(102, 'teapot')).toThrow('addon_type is not known');
  expect(() => sandbox.addAddon(101, 'llm', 'golden')).toThrow('tier is not known');
  expect(() => sandbox.addAddon(101, 'llm')).toThrow('is active already');
  sandbox.cancelAddon(702);
  expect(() => sandbox.cancelAddon(702)).toThrow('canceled already');
});

test('a world with an add-on that nobody sells and nobody priced, or with an id twice, is refused', () => {
  const world = (...addons: { id?: number; type: string; instanceId: number }[]) => ({
    world: { customers: [customer('harbour', { instances: [instance(1, 'web-1')], addons })] },
  });
  expect(() => createHostingSandbox(world({ type: 'teapot', instanceId: 1 }))).toThrow(
    'no add-on teapot, and no price',
  );
  const twice = { id: 7, type: 'backup', instanceId: 1 };
  expect(() => createHostingSandbox(world(twice, twice))).toThrow('the add-on id 7 is used twice');
});
