import { expect, test } from 'vitest';
import { NoCustomerError, openSandbox as openAll } from '../../sandbox/sandbox.ts';
import { instance, moneyed, worldOf } from '../../sandbox/world.ts';
import { dataOf, listOf, openSandbox } from './hosting-caller.ts';

const hourMs = 3_600_000;

/** The company with the customers for billing, and what one of them reads. */
async function openFor(name: string) {
  const { call, sandbox } = await openSandbox({ world: { customers: moneyed } });
  const headers = { authorization: `Bearer oc_live_demo_${name}` };
  const get = (path: string) => call('GET', `/api/v1${path}`, { headers });
  return { get, sandbox };
}

test('money drains by the day when days pass, and at zero everything is paused', async () => {
  const { get, sandbox } = await openFor('draining');
  const seen: unknown[] = [];
  for (let day = 0; day < 5; day += 1) {
    seen.push([sandbox.balanceOf('draining'), sandbox.statusOf(501), sandbox.statusOf(502)]);
    sandbox.passDays(1);
  }
  expect(seen).toEqual([
    [900, 'running', 'running'],
    [600, 'running', 'running'],
    [300, 'running', 'running'],
    [0, 'paused', 'paused'],
    [0, 'paused', 'paused'],
  ]);
  const newest = listOf(await get('/billing/transactions?per_page=3'));
  expect(newest.map(({ amount, balance_after }) => [amount, balance_after])).toEqual([
    [-100, 0],
    [-200, 100],
    [-100, 300],
  ]);
});

test('hours pass without a charge until there is a midnight among them', async () => {
  const { sandbox } = await openFor('draining');
  sandbox.hurry(11 * hourMs);
  expect(sandbox.balanceOf('draining')).toBe(900);
  sandbox.hurry(2 * hourMs);
  expect(sandbox.balanceOf('draining')).toBe(600);
  expect(() => sandbox.hurry(-1)).toThrow("time can't pass by -1 ms");
  expect(() => sandbox.passDays(Number.NaN)).toThrow("time can't pass");
});

test('time that is hurried does not move the rate limit', async () => {
  const { get, sandbox } = await openFor('draining');
  const before = (await get('/instances')).headers.get('x-ratelimit-reset');
  sandbox.passDays(2);
  expect((await get('/instances')).headers.get('x-ratelimit-reset')).toBe(before);
});

test('a balance that cannot be read can be once it is mended, and all else works meanwhile', async () => {
  const { get, sandbox } = await openFor('unreadable');
  expect((await get('/billing/summary')).status).toBe(500);
  expect((await get('/billing/usage')).status).toBe(200);
  sandbox.breakBalance('unreadable', { answer: 200, done: false, body: '{"data":{"claws_balance":NaN}}' });
  const nonsense = await get('/billing/summary');
  expect([nonsense.status, nonsense.text]).toEqual([200, '{"data":{"claws_balance":NaN}}']);
  sandbox.mendBalance('unreadable');
  expect(dataOf(await get('/billing/summary'))['claws_balance']).toBe(1000);
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

test('a customer whom the company does not have is told with those it has', async () => {
  const nobody = openAll({ customer: 'nobody', hosting: { world: worldOf([]) } });
  await expect(nobody).rejects.toThrow(
    new NoCustomerError('There is no customer "nobody". There are harbour.'),
  );
});
