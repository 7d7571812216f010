import { describe, expect, test } from 'vitest';
import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import { adapter as digitalocean } from '../../src/platform/hosting/adapters/digitalocean.ts';
import { adapter as hetzner } from '../../src/platform/hosting/adapters/hetzner.ts';
import { adapter as vultr } from '../../src/platform/hosting/adapters/vultr.ts';
import { cents } from '../../src/platform/hosting/readers.ts';
import { clientOf, faultOf } from './answering.ts';

describe('an amount that went through a float is read as money', () => {
  test.each<[number | string, string]>([
    [11.210000000000001, '11.21'],
    ['11.210000000000001', '11.21'],
    [-11.210000000000001, '-11.21'],
    [0.1 + 0.2, '0.30'],
    [4.464285714285714, '4.46'],
    ['4.464285714285714', '4.46'],
    [-0.005000000000000001, '-0.005'],
    [99.99999999999999, '100.00'],
    [0.00893, '0.00893'],
    [12, '12.00'],
    ['12', '12.00'],
    ['-0.5', '-0.50'],
  ])('%s is %s', (amount, money) => {
    expect(cents(amount)).toBe(money);
  });

  test.each(['', 'free', '1,50', '1e3', Number.NaN, 1e21, '12345678901234567890123'])(
    '%s is none',
    (amount) => {
      expect(() => cents(amount)).toThrow('no exact amount');
    },
  );

  const balance = (account_balance: unknown, month_to_date_usage: unknown) => ({
    body: { account_balance, month_to_date_usage },
  });

  test.each([
    ['11.210000000000001', '0.30000000000000004'],
    [11.210000000000001, 0.30000000000000004],
  ])('in the balance of DigitalOcean: %s', async (owed, month) => {
    const { hosting } = clientOf(digitalocean, [balance(owed, month)]);
    expect(await hosting.getSpending()).toMatchObject({ owedBefore: '11.21', monthSoFar: '0.30' });
  });

  test('in charges, bills and prices', async () => {
    const invoice_items = [{ product: 'Droplets', amount: '4.464285714285714' }];
    const billing_history = [{ amount: -11.210000000000001, date: 'x', type: 'Payment' }];
    const droplet = { id: 7, name: 'web-1', status: 'active', size: { price_monthly: 11.210000000000001 } };
    const { hosting } = clientOf(digitalocean, [
      { body: { invoice_items } },
      { body: { billing_history } },
      { body: { droplet } },
    ]);
    expect((await hosting.listCharges())?.charges[0]?.amount).toBe('4.46');
    expect((await hosting.listBills())?.bills[0]?.amount).toBe('-11.21');
    expect((await hosting.findInstance('7'))?.price?.amount).toBe('11.21');
  });

  test('at Vultr too', async () => {
    const { hosting } = clientOf(vultr, [
      { body: { account: { balance: 4.464285714285714, pending_charges: 11.210000000000001 } } },
    ]);
    expect(await hosting.getSpending()).toMatchObject({ owedBefore: '4.46', monthSoFar: '11.21' });
  });

  test("at an adapter of one's own, which hands the amount on as it came", async () => {
    const { billing } = digitalocean;
    if (billing?.kind !== 'postpaid') throw new Error('it is billed afterwards');
    const careless = (amount: string): Adapter => ({
      ...digitalocean,
      billing: {
        ...billing,
        spending: { path: '/x', decode: () => ({ monthSoFar: amount, owedBefore: amount }) },
      },
    });
    const ofMonth = async (amount: string) =>
      (await clientOf(careless(amount), [{ body: {} }]).hosting.getSpending())?.monthSoFar;
    expect(await ofMonth('11.210000000000001')).toBe('11.21');
    expect(await ofMonth('12')).toBe('12');
    for (const none of ['1,234.56', '1e3', '12 USD', ''])
      await expect(ofMonth(none)).rejects.toMatchObject({ fault: 'unreadable' });
  });

  test("a charge whose amount can't be read is in no sum, and the list is called incomplete", async () => {
    const { billing } = digitalocean;
    if (billing?.kind !== 'postpaid' || !billing.charges) throw new Error('it lists charges');
    const item = (record: unknown) => ({
      id: String(record),
      name: 'a',
      product: 'b',
      amount: String(record),
    });
    const charges = { ...billing.charges, items: () => ['1,234.56', '2.50'], item };
    const own: Adapter = { ...digitalocean, billing: { ...billing, charges } };
    const read = await clientOf(own, [{ body: {} }]).hosting.listCharges();
    expect(read.charges.map(({ amount }) => amount)).toEqual(['2.50']);
    expect(read.incomplete).toMatchObject({ total: 2 });
  });

  test('what is no amount is unreadable, and never nothing', async () => {
    const { hosting } = clientOf(digitalocean, [balance('none', '1.00')]);
    expect(await faultOf(hosting.getSpending())).toMatchObject({ fault: 'unreadable' });
  });
});

describe('a label without a name is left out', () => {
  const droplet = (tags: unknown) => ({ id: 7, name: 'web-1', status: 'active', tags });
  const server = {
    id: 7,
    name: 'web-1',
    status: 'running',
    labels: { '': 'x', ' ': '', env: 'prod', b: '' },
  };

  test.each<[string, Adapter, unknown, readonly string[]]>([
    ['DigitalOcean', digitalocean, { droplet: droplet(['', ' ', '\u200b', 'web']) }, ['web']],
    ['DigitalOcean, of none but those', digitalocean, { droplet: droplet(['']) }, []],
    ['Hetzner', hetzner, { server }, ['env=prod', 'b']],
  ])('at %s', async (_name, adapter, body, labels) => {
    expect((await clientOf(adapter, [{ body }]).hosting.findInstance('7'))?.labels).toEqual(labels);
  });

  test('in a list, too', async () => {
    const body = { droplets: [droplet(['', 'web'])], links: {}, meta: { total: 1 } };
    const { hosting } = clientOf(digitalocean, [{ body }, { body: { droplets: [] } }]);
    expect((await hosting.listInstances()).instances[0]?.labels).toEqual(['web']);
  });
});
