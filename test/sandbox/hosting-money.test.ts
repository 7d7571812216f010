import { expect, test } from 'vitest';
import { instance, moneyed, worldOf } from '../../sandbox/world.ts';
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

/** The company with the customers for billing, and what one of them reads. */
async function openFor(name: string) {
  const { call, sandbox } = await openSandbox({ world: { customers: moneyed } });
  const headers = { authorization: `Bearer oc_live_demo_${name}` };
  const get = (path: string) => call('GET', `/api/v1${path}`, { headers });
  return { get, sandbox };
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
    // What is in progress ends first: an instance that is stopping costs, one that is stopped doesn't.
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

test('time that is hurried does not move the rate limit', async () => {
  const { get, sandbox } = await openFor('draining');
  const before = (await get('/instances')).headers.get('x-ratelimit-reset');
  sandbox.passDays(2);
  expect((await get('/instances')).headers.get('x-ratelimit-reset')).toBe(before);
});

test('a hundred thousand transactions come in pages that add up, to the last and past it', async () => {
  const { get, sandbox } = await openFor('long-history');
  const page = async (number: number) =>
    listOf(await get(`/billing/transactions?page=${number}&per_page=100`)) as {
      id: number;
      amount: number;
      balance_after: number;
      created_at: string;
    }[];
  sandbox.topUp('long-history', 7);
  const lines = [...(await page(1)), ...(await page(2))];
  expect(lines.slice(0, 2).map((line) => [line.amount, line.balance_after])).toEqual([
    [7, 6_007],
    [-100, 6_000],
  ]);
  lines.slice(1).forEach((older, index) => {
    const newer = lines[index]!;
    expect(newer.balance_after).toBe(older.balance_after + newer.amount);
    expect(newer.id).toBeGreaterThan(older.id);
    expect(newer.created_at >= older.created_at).toBe(true);
  });
  const last = await page(1_001);
  expect(last.map((line) => [line.amount, line.balance_after])).toEqual([[6_900, 6_900]]);
  expect(await page(1_002)).toEqual([]);
});

test('cents add up without a float showing', async () => {
  const world = worldOf([instance(1, 'mint', { dailyCredits: 0.1 })], { balanceCredits: 0 });
  const { get, sandbox } = await openSandbox({ world });
  sandbox.topUp('harbour', 0.1);
  sandbox.topUp('harbour', 0.2);
  expect(dataOf(await get('/billing/summary'))).toMatchObject({ claws_balance: 0.3, days_remaining: 3 });
  sandbox.passDays(3);
  expect([sandbox.balanceOf('harbour'), sandbox.statusOf(1)]).toEqual([0, 'paused']);
  expect(() => sandbox.topUp('harbour', 0.001)).toThrow('not exact in hundredths');
});

test('a top-up that only makes a debt smaller wakes nothing', async () => {
  const { get, sandbox } = await openFor('overdrawn');
  expect(dataOf(await get('/billing/summary'))).toMatchObject({ claws_balance: -45, low_balance: true });
  sandbox.topUp('overdrawn', 45);
  expect([sandbox.balanceOf('overdrawn'), sandbox.statusOf(551)]).toEqual([0, 'paused']);
  sandbox.topUp('overdrawn', 1);
  expect(sandbox.statusOf(551)).toBe('provisioning');
});
