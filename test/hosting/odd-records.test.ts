import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adapter as digitalocean } from '../../src/platform/hosting/adapters/digitalocean.ts';
import { adapter as instanceHosting } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { adapter as vultr } from '../../src/platform/hosting/adapters/vultr.ts';
import { runs } from '../support/runs.ts';
import { serviceOf, SERVICES } from './services.ts';

const ODD: readonly unknown[] = [[7], [{ slug: 'pro' }]];

describe.each(Object.entries(SERVICES))('%s', (_name, { adapter, record, essential, list, one }) => {
  const another = { ...record, id: adapter === vultr ? '43' : 43 };
  const cosmetic = Object.keys(record).filter((field) => !essential.includes(field));

  test.each(cosmetic)(
    'an odd %s is left out and counted, and the record and all others are read',
    async (field) => {
      for (const odd of ODD) {
        const body = list([{ ...record, [field]: odd }, another]);
        const { hosting, leftOut } = serviceOf(adapter, body);
        const { instances, incomplete } = await hosting.listInstances();
        expect([instances.map(({ id }) => id), incomplete]).toEqual([['42', '43'], undefined]);
        expect([field, odd, leftOut]).toEqual([field, odd, [[field, 1]]]);
        const single = serviceOf(adapter, one({ ...record, [field]: odd }));
        expect(await single.hosting.findInstance('42')).toMatchObject({ id: '42', name: 'web-1' });
        expect(single.leftOut).toEqual([[field, 1]]);
      }
    },
  );

  test.each(essential)(
    'a record with an odd %s is left out, and the list says that it is not whole',
    async (field) => {
      const { hosting } = serviceOf(adapter, list([{ ...record, [field]: { odd: true } }, another]));
      const { instances, incomplete } = await hosting.listInstances();
      expect(instances.map(({ id }) => id)).toEqual(['43']);
      expect(incomplete).toEqual({ read: 1, total: 2, isCertain: true });
    },
  );

  test('a list of nothing but records that can not be read is no list', async () => {
    const { hosting } = serviceOf(adapter, list([{ id: {} }, 'x', null]));
    await expect(hosting.listInstances()).rejects.toMatchObject({ fault: 'unreadable' });
  });

  test.each(cosmetic)('a %s that is null counts as absent', async (field) => {
    const { hosting, leftOut } = serviceOf(adapter, list([{ ...record, [field]: null }]));
    expect((await hosting.listInstances()).instances).toHaveLength(1);
    expect(leftOut).toEqual([]);
  });

  test('whatever its cosmetic fields are, a record is read', async () => {
    const fields = fc.record(Object.fromEntries(cosmetic.map((field) => [field, fc.jsonValue()])), {
      requiredKeys: [],
    });
    await fc.assert(
      fc.asyncProperty(fields, async (odd) => {
        const { hosting } = serviceOf(adapter, list([{ ...record, ...odd }, another]));
        expect((await hosting.listInstances()).instances.map(({ id }) => id)).toEqual(['42', '43']);
      }),
      { numRuns: runs(300) },
    );
  });
});

test('a daily cost that can not be read leaves the balance', async () => {
  const { hosting, leftOut } = serviceOf(instanceHosting, {
    data: { claws_balance: 5, daily_claw_cost: { amount: 7 } },
  });
  expect(await hosting.getBalance()).toEqual({ credits: '5' });
  expect(leftOut).toEqual([['daily_claw_cost', 1]]);
});

test('an odd record of usage stands beside the others, at an unknown cost, and a list that is null is none', async () => {
  const instances = [{ id: 1, name: { odd: 1 }, daily_claws: 3 }, 'x', { id: 2, daily_claws: 4 }];
  const { hosting } = serviceOf(instanceHosting, {
    data: { daily_total: { odd: 1 }, instances, addons: null },
  });
  expect(await hosting.getUsage()).toEqual({
    instances: [{ id: '1', dailyCredits: '3' }, {}, { id: '2', dailyCredits: '4' }],
    addons: [],
  });
});

test('a field that is null under one name is read under its other', async () => {
  const { hosting } = serviceOf(instanceHosting, {
    data: [{ id: 1, name: 'web-1', status: null, state: 'running' }],
  });
  expect((await hosting.listInstances()).instances).toMatchObject([{ status: 'running' }]);
  const money = serviceOf(instanceHosting, { data: { claws_balance: null, balance: '7' } });
  expect(await money.hosting.getBalance()).toMatchObject({ credits: '7' });
});

test('an odd charge or bill is left out, and the list says that it is not whole', async () => {
  const charge = (amount: unknown, description: unknown = 'x') => ({
    product: 'Droplets',
    description,
    amount,
  });
  const charges = serviceOf(digitalocean, { invoice_items: [charge('1.00'), charge({}), charge('2.00', 7)] });
  const read = await charges.hosting.listCharges();
  expect([read.charges.map(({ amount }) => amount), read.incomplete]).toEqual([
    ['1.00', '2.00'],
    { read: 2, total: 3, isCertain: true },
  ]);
  expect(charges.leftOut).toEqual([['description', 1]]);
  const bill = { id: 1, date: '2026-01-02', type: 'invoice', description: 'x', amount: 5, balance: '9' };
  const bills = serviceOf(vultr, { billing_history: [bill], meta: { total: 'x', links: null } });
  expect((await bills.hosting.listBills()).bills).toHaveLength(1);
});
