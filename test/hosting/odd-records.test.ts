import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import { adapter as digitalocean } from '../../src/platform/hosting/adapters/digitalocean.ts';
import { adapter as hetzner } from '../../src/platform/hosting/adapters/hetzner.ts';
import { adapter as instanceHosting } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { adapter as vultr } from '../../src/platform/hosting/adapters/vultr.ts';
import { createHostingClient } from '../../src/platform/hosting/client.ts';
import type { Requester } from '../../src/platform/hosting/request.ts';
import { runs } from '../support/runs.ts';

type Json = Readonly<Record<string, unknown>>;

/** One whole record of an instance at each service, its list and its one, and which of its fields are essential. */
const SERVICES: Readonly<
  Record<
    string,
    {
      adapter: Adapter;
      record: Json;
      essential: readonly string[];
      list: (all: readonly unknown[]) => Json;
      one: (record: unknown) => Json;
    }
  >
> = {
  'instance-hosting': {
    adapter: instanceHosting,
    record: {
      id: 42,
      name: 'web-1',
      status: 'running',
      tier: 'pro',
      billing_mode: 'daily',
      ip_address: '192.0.2.1',
      health_status: 'healthy',
      created_at: '2026-01-05T10:00:00Z',
      can_stop: true,
      subdomain_url: 'web-1.example.com',
      daily_claw_cost: 5,
    },
    essential: ['id', 'name', 'status'],
    list: (data) => ({ data }),
    one: (data) => ({ data }),
  },
  digitalocean: {
    adapter: digitalocean,
    record: {
      id: 42,
      name: 'web-1',
      status: 'active',
      locked: false,
      created_at: '2026-01-05T10:00:00Z',
      size_slug: 's-1vcpu-1gb',
      networks: { v4: [{ ip_address: '192.0.2.10', type: 'public' }] },
    },
    essential: ['id', 'name', 'status'],
    list: (droplets) => ({ droplets, links: {}, meta: { total: droplets.length } }),
    one: (droplet) => ({ droplet }),
  },
  hetzner: {
    adapter: hetzner,
    record: {
      id: 42,
      name: 'web-1',
      status: 'running',
      created: '2026-01-05T10:00:00Z',
      locked: false,
      protection: { delete: false },
      public_net: { ipv4: { ip: '192.0.2.20' } },
      server_type: { name: 'cpx22' },
    },
    essential: ['id', 'name', 'status'],
    list: (servers) => ({ servers, meta: { pagination: { next_page: null, total_entries: null } } }),
    one: (server) => ({ server }),
  },
  vultr: {
    adapter: vultr,
    record: {
      id: '42',
      label: 'web-1',
      hostname: 'web-1',
      status: 'active',
      power_status: 'running',
      server_status: 'ok',
      main_ip: '192.0.2.30',
      plan: 'vc2-1c-1gb',
      date_created: '2026-01-05 10:00:00+00:00',
    },
    essential: ['id', 'label', 'status', 'power_status', 'server_status'],
    list: (instances) => ({ instances, meta: { total: instances.length, links: { next: '' } } }),
    one: (instance) => ({ instance }),
  },
};

/** A service that answers everything with this body; what is left out of it is counted. */
function serviceOf(adapter: Adapter, body: unknown) {
  const leftOut: [string, number][] = [];
  const answer: Requester['read'] = async () => ({ status: 200, headers: {}, body });
  const requester: Requester = { read: answer, write: answer, close: async () => undefined };
  const onLeftOut = (_doing: string, counts: ReadonlyMap<string, number>): void => {
    leftOut.push(...counts);
  };
  const url = adapter.origin ?? 'https://api.example.test';
  return { hosting: createHostingClient(adapter, url, requester, { onLeftOut }), leftOut };
}

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

test('an odd record of usage leaves the others, and a list that is null is none', async () => {
  const instances = [{ id: 1, name: { odd: 1 }, daily_claws: 3 }, 'x', { id: 2, daily_claws: 4 }];
  const { hosting } = serviceOf(instanceHosting, {
    data: { daily_total: { odd: 1 }, instances, addons: null },
  });
  expect(await hosting.getUsage()).toEqual({
    instances: [
      { id: '1', dailyCredits: '3' },
      { id: '2', dailyCredits: '4' },
    ],
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
