import { expect, test } from 'vitest';
import { createHostingSandbox } from '../../sandbox/hosting/sandbox.ts';
import { instance, sentinel, worldOf } from '../../sandbox/world.ts';
import { dataOf, listOf, openSandbox } from './hosting-caller.ts';

const dayMs = 86_400_000;
/** All pages, oldest first. */
async function ledger({ get }: Pick<Awaited<ReturnType<typeof openSandbox>>, 'get'>) {
  const lines: { amount: number; balance_after: number; type: string; instance_id: number | null }[] = [];
  for (let page = 1; ; page += 1) {
    const found = listOf(await get(`/billing/transactions?page=${page}&per_page=100`));
    if (found.length === 0) return lines.toReversed();
    lines.push(...(found as typeof lines));
  }
}

test('opening + credits - usage = closing, through charges, top-ups and changes of mind', async () => {
  const opened = await openSandbox();
  const { get, post, remove, clock, sandbox } = opened;
  for (const change of [
    () => post('/instances/101/stop'),
    () => post('/instances/102/addons', { addon_type: 'storage', tier: 'large' }),
    async () => sandbox.topUp('harbour', 700),
    () => remove('/addons/702'),
    () => remove('/instances/105'),
    async () => sandbox.setBalance('harbour', 900),
  ]) {
    await change();
    // What is under way ends first: an instance that is stopping costs, one that is stopped doesn't.
    clock.advance(10_000);
    const before = dataOf(await get('/billing/summary'));
    clock.advance(dayMs);
    const after = dataOf(await get('/billing/summary'));
    const spent = Number(before['claws_balance']) - Number(after['claws_balance']);
    expect(spent).toBe(before['daily_claw_cost']);
  }
  let balance = 0;
  for (const line of await ledger(opened)) {
    balance += line.amount;
    expect(line.balance_after).toBe(balance);
    expect(balance).toBeGreaterThanOrEqual(0);
  }
  expect(dataOf(await get('/billing/summary'))['claws_balance']).toBe(balance);
});

test('a day costs what usage says, one transaction for each instance and add-on that costs', async () => {
  const opened = await openSandbox();
  const usage = dataOf(await opened.get('/billing/usage')) as {
    daily_total: number;
    instances: { daily_claws: number }[];
    addons: { daily_claws: number }[];
  };
  const items = [...usage.instances, ...usage.addons].map((each) => each.daily_claws);
  expect(items.reduce((sum, each) => sum + each, 0)).toBe(usage.daily_total);
  const known = (await ledger(opened)).length;
  opened.clock.advance(dayMs);
  const charges = (await ledger(opened)).slice(known).map((each) => -each.amount);
  const ascending = (one: number, other: number): number => one - other;
  expect(charges.toSorted(ascending)).toEqual(items.filter((each) => each > 0).toSorted(ascending));
});

test('when the credit runs out everything that costs is paused, and a top-up brings it back', async () => {
  const world = worldOf(
    [instance(1, 'web-1', { dailyCredits: 40 }), instance(2, 'off', { status: 'stopped' })],
    {
      balanceCredits: 100,
    },
  );
  const { get, post, clock, sandbox } = await openSandbox({ world, provisionMs: 1_000 });
  expect(dataOf(await get('/billing/summary'))).toMatchObject({ days_remaining: 2, low_balance: true });
  clock.advance(3 * dayMs);
  expect(dataOf(await get('/instances/1'))).toMatchObject({
    status: 'paused',
    ip_address: null,
    can_start: false,
  });
  expect(sandbox.statusOf(2)).toBe('stopped');
  expect((await post('/instances/1/start')).status).toBe(422);
  expect(dataOf(await get('/billing/summary'))).toMatchObject({ claws_balance: 20, days_remaining: null });

  sandbox.topUp('harbour', 500);
  const seen = [sandbox.statusOf(1)];
  for (const _ of [1, 2]) {
    clock.advance(1_000);
    seen.push(sandbox.statusOf(1));
  }
  expect(seen).toEqual(['provisioning', 'deploying', 'running']);
  expect(sandbox.balanceOf('harbour')).toBe(520);
});

test('a charge that takes the last credit pauses what it has paid for', async () => {
  const { clock, sandbox } = await openSandbox({
    world: worldOf([instance(1, 'web-1')], { balanceCredits: 10 }),
  });
  clock.advance(dayMs);
  expect([sandbox.balanceOf('harbour'), sandbox.statusOf(1)]).toEqual([0, 'paused']);
});

test('a balance set to nothing pauses at once', async () => {
  const { sandbox } = await openSandbox({ world: worldOf([instance(1, 'web-1')]) });
  sandbox.setBalance('harbour', 0);
  expect(sandbox.statusOf(1)).toBe('paused');
});

test('transactions come newest first, in pages that neither repeat nor miss one', async () => {
  const { get } = await openSandbox();
  const first = await get('/billing/transactions');
  expect(first.json).toMatchObject({ meta: { page: 1, per_page: 25 } });
  const { total, total_pages: pages } = (first.json as { meta: { total: number; total_pages: number } }).meta;
  const ids: unknown[] = [];
  for (let page = 1; page <= pages; page += 1) {
    ids.push(...listOf(await get(`/billing/transactions?page=${page}`)).map((each) => each['id']));
  }
  expect(ids).toHaveLength(total);
  expect(new Set(ids).size).toBe(total);
  expect(ids).toEqual(ids.toSorted((one, other) => Number(other) - Number(one)));
});

test.each([
  ['page=0&per_page=0', 1, 1],
  ['page=x&per_page=-5', 1, 25],
  ['page=1&per_page=5000', 1, 100],
  ['page=99999', 99_999, 25],
])('page numbers out of bounds (%s) are taken as the nearest bound', async (query, page, size) => {
  const { get } = await openSandbox();
  const answer = await get(`/billing/transactions?${query}`);
  expect(answer.json).toMatchObject({ meta: { page, per_page: size } });
});

test('a history that would have been out of credit is refused when the world is made', () => {
  const world = worldOf([sentinel('breaks')], {
    balanceCredits: 0,
    historyDays: 3,
    topUps: [{ daysAgo: 0, credits: 900 }],
  });
  expect(() => createHostingSandbox({ world })).toThrow('out of credit');
});

test('an add-on can be bought once, costs from the next midnight on, and can be cancelled once', async () => {
  const { get, post, remove } = await openSandbox({ world: worldOf([instance(1, 'web-1')]) });
  const bought = await post('/instances/1/addons', { addon_type: 'llm' });
  expect(bought.status).toBe(201);
  expect(dataOf(bought)).toMatchObject({
    tier: 'standard',
    status: 'active',
    daily_claws: 45,
    instance_name: 'web-1',
  });
  expect((await post('/instances/1/addons', { addon_type: 'llm' })).json).toMatchObject({
    error: { details: { addon_type: 'is active already' } },
  });
  expect(dataOf(await get('/billing/usage'))).toMatchObject({
    daily_total: 55,
    addons: [{ addon_type: 'llm' }],
  });
  const id = String(dataOf(bought)['id']);
  expect(dataOf(await remove(`/addons/${id}`))).toMatchObject({ status: 'canceled', daily_claws: 0 });
  expect((await remove(`/addons/${id}`)).status).toBe(422);
  expect(dataOf(await get('/billing/usage'))).toMatchObject({ daily_total: 10, addons: [] });
  expect((await post('/instances/1/addons', { addon_type: 'llm', tier: 'premium' })).status).toBe(201);
});

test.each([
  [{}, 'addon_type'],
  [{ addon_type: 7 }, 'addon_type'],
  [{ addon_type: 'teapot' }, 'addon_type'],
  [{ addon_type: 'constructor' }, 'addon_type'],
  [{ addon_type: 'llm', tier: 'golden' }, 'tier'],
  [{ addon_type: 'llm', tier: {} }, 'tier'],
  [['llm'], 'body'],
  [null, 'body'],
])('an add-on asked for as %j is refused with the field that is wrong', async (body, field) => {
  const { post } = await openSandbox();
  const refused = await post('/instances/102/addons', body);
  expect(refused.status).toBe(422);
  expect(refused.json).toMatchObject({
    error: { code: 'unprocessable_entity', details: { [field]: expect.any(String) as string } },
  });
});
