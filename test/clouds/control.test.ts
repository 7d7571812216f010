import { expect, test } from 'vitest';
import { createCloud } from '../../sandbox/clouds/cloud.ts';
import { openCloud } from '../../sandbox/clouds/demo-fleet.ts';
import { fieldOf, KINDS, openTest } from './calling.ts';

const named = KINDS.map((each) => [each.kind, each] as const);

test.each(named)(
  '%s: calls are recorded with what was sent and answered, and never with the token',
  async (_name, kind) => {
    const { power, get, list, cloud, powerPathOf, now } = await openTest({ kind: kind.kind });
    await get(`${list}?per_page=1`);
    await power('web-1', 'stop');
    expect(cloud.calls).toEqual([
      {
        method: 'GET',
        path: list,
        query: 'per_page=1',
        at: now(),
        body: undefined,
        status: 200,
        hadEffect: false,
      },
      {
        method: 'POST',
        path: powerPathOf('web-1', 'stop'),
        query: '',
        at: now(),
        body: kind.power.stop[1],
        status: kind.powerStatus,
        hadEffect: true,
      },
    ]);
    expect(JSON.stringify(cloud.calls)).not.toContain(cloud.token);
  },
);

test.each(named)('%s: a machine can go, and another come under its name', async (_name, kind) => {
  const { cloud, get, pathOf, power, advance } = await openTest({ kind: kind.kind });
  const [old, oldPath] = [cloud.machine('web-1'), pathOf('web-1')];
  await power('web-1', 'stop');
  advance(1_000);
  const fresh = cloud.recreate('web-1');
  expect(fresh.id).not.toBe(old.id);
  expect(fresh.createdAt - old.createdAt).toBe(1_000);
  expect((await get(oldPath)).status).toBe(404);
  advance(60_000);
  expect(cloud.machine('web-1').words).toEqual(cloud.add({ name: 'plain' }).words);
  cloud.add({ name: 'web-9', id: '7' });
  expect(cloud.recreate('web-9').id).not.toBe('7');
  cloud.remove('web-1');
  expect(() => cloud.machine('web-1')).toThrow('no machine, or several, called web-1');
});

test.each(named)(
  '%s: a stopped cloud refuses connections, and starts again where it was',
  async (_name, kind) => {
    const { cloud, url, get, list, power, advance, show } = await openTest({ kind: kind.kind });
    await power('web-1', 'stop');
    await cloud.stop();
    await expect(get(list)).rejects.toThrow('fetch failed');
    advance(3_000);
    expect((await cloud.start()).url).toBe(url);
    expect(await show('web-1')).toMatchObject(typeof kind.off === 'string' ? { status: kind.off } : kind.off);
  },
);

test('an id, a size or a region that can’t be is refused when it is described', async () => {
  const twice = [
    { name: 'a', id: '5' },
    { name: 'b', id: '5' },
  ];
  expect(() => createCloud({ kind: 'digitalocean', machines: twice })).toThrow('the id 5 is used twice');
  for (const machine of [
    { name: 'a', size: 'cpx1000' },
    { name: 'a', region: 'moon' },
  ]) {
    for (const { kind } of KINDS)
      expect(() => createCloud({ kind, machines: [machine] })).toThrow(/no (size|region)/);
  }
});

test('names need not be unique but at Hetzner', () => {
  const machines = [{ name: 'a' }, { name: 'a' }];
  expect(createCloud({ kind: 'digitalocean', machines }).machines()).toHaveLength(2);
  expect(createCloud({ kind: 'vultr', machines }).machines()).toHaveLength(2);
  expect(() => createCloud({ kind: 'hetzner', machines })).toThrow('the name a is used twice');
});

test('Vultr writes its dates with a space, or with a T where a test wants that', async () => {
  const machines = [{ name: 'web-1', createdAt: Date.UTC(2026, 0, 5, 10) }];
  const spaced = await openTest({ kind: 'vultr', machines });
  expect(await spaced.show('web-1')).toMatchObject({ date_created: '2026-01-05 10:00:00+00:00' });
  const joined = await openTest({ kind: 'vultr', machines, writesDatesWithT: true });
  expect(await joined.show('web-1')).toMatchObject({ date_created: '2026-01-05T10:00:00+00:00' });
});

test('Vultr sends its secrets in the list and in the detail', async () => {
  const { get, list, pathOf } = await openTest({ kind: 'vultr' });
  for (const path of [list, pathOf('web-1')]) {
    const { text } = await get(path);
    expect(text).toContain('kvm-secret-1');
    expect(text).toContain('password-secret-1');
  }
});

test.each(named)(
  '%s: the demo has 24 machines, the same ones each time, in more than one state',
  async (_name, kind) => {
    const [one, other] = [openCloud(kind.kind), openCloud(kind.kind)];
    expect(one.machines()).toHaveLength(24);
    expect(one.machines()).toEqual(other.machines());
    expect(new Set(one.machines().map(({ name }) => name)).size).toBe(24);
    expect(new Set(one.machines().map(({ words }) => JSON.stringify(words))).size).toBe(3);
    const { url } = await one.start();
    try {
      const headers = { authorization: `Bearer ${one.token}` };
      const response = await fetch(`${url}${kind.list}?per_page=50`, { headers });
      expect(fieldOf(await response.json(), kind.records)).toHaveLength(24);
    } finally {
      await one.stop();
    }
  },
);

test('the money of an account', async () => {
  const history = [
    { at: Date.UTC(2026, 0, 2), kind: 'payment', description: 'Top-up', amountCents: 5_000 },
    { at: Date.UTC(2026, 0, 1), kind: 'invoice', description: 'December', amountCents: 3_120 },
  ] as const;
  const money = { owedCents: -4_050, pendingCents: 1_225, history };
  const droplets = await openTest({ kind: 'digitalocean', money });
  expect((await droplets.get('/v2/customers/my/balance')).json).toMatchObject({
    account_balance: '-40.50',
    month_to_date_usage: '12.25',
    month_to_date_balance: '-28.25',
  });
  const signed = fieldOf((await droplets.get('/v2/customers/my/billing_history')).json, 'billing_history');
  expect(signed).toMatchObject([
    { amount: '-50.00', type: 'Payment' },
    { amount: '31.20', type: 'Invoice' },
  ]);
  const invoices = await droplets.get('/v2/customers/my/invoices');
  expect(invoices.json).toMatchObject({
    invoices: [{ amount: '31.20', invoice_period: '2025-12' }],
    invoice_preview: { amount: '12.25', invoice_period: '2026-01' },
  });
  expect((await droplets.get('/v2/customers/my/invoices/none')).status).toBe(404);

  const instances = await openTest({ kind: 'vultr', money });
  expect((await instances.get('/v2/account')).json).toMatchObject({
    account: { balance: -40.5, pending_charges: 12.25, last_payment_amount: -50 },
  });
  const unsigned = fieldOf((await instances.get('/v2/billing/history?per_page=1')).json, 'billing_history');
  expect(unsigned).toMatchObject([{ amount: 50, balance: -40.5, type: 'credit' }]);
  const invoiced = fieldOf((await instances.get('/v2/billing/invoices')).json, 'billing_invoices');
  expect(invoiced).toMatchObject([{ amount: 31.2, balance: 9.5 }]);
  instances.cloud.setMoney({ owedCents: 1_000 });
  expect((await instances.get('/v2/account')).json).toMatchObject({ account: { balance: 10 } });
});
