import { describe, expect, test } from 'vitest';
import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import { adapter as digitalocean } from '../../src/platform/hosting/adapters/digitalocean.ts';
import { adapter as hetzner } from '../../src/platform/hosting/adapters/hetzner.ts';
import { adapter as ownAdapter } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { adapter as lightsail } from '../../src/platform/hosting/adapters/lightsail.ts';
import { adapter as ovhcloud } from '../../src/platform/hosting/adapters/ovhcloud.ts';
import { adapter as scaleway } from '../../src/platform/hosting/adapters/scaleway.ts';
import { adapter as upcloud } from '../../src/platform/hosting/adapters/upcloud.ts';
import { adapter as vultr } from '../../src/platform/hosting/adapters/vultr.ts';
import { listsOf } from '../../src/platform/hosting/read-list.ts';
import { clientOf, faultOf } from './answering.ts';

const instanceHosting: Adapter = { ...ownAdapter, origin: 'https://api.example.com' };

/** An answer for each of the lists of an adapter. */
const each = (adapter: Adapter, body: unknown) =>
  listsOf(adapter.instances.list).map(() => ({ status: 200, headers: {}, body }));

describe('an empty list that is written as null is empty', () => {
  test.each<[string, Adapter, unknown]>([
    ['instance-hosting, data', instanceHosting, { data: null }],
    ['instance-hosting, instances', instanceHosting, { instances: null }],
    ['instance-hosting, data.instances', instanceHosting, { data: { instances: null } }],
    ['instance-hosting, items beside a page', instanceHosting, { items: null, meta: { page: 1 } }],
    ['digitalocean', digitalocean, { droplets: null, links: null, meta: { total: 0 } }],
    ['hetzner', hetzner, { servers: null, meta: { pagination: { next_page: null, total_entries: 0 } } }],
    ['hetzner, and its page as well', hetzner, { servers: null, meta: null }],
    ['vultr, and its page as well', vultr, { instances: null, meta: null }],
    ['vultr', vultr, { instances: null, meta: { total: 0, links: null } }],
    ['scaleway', scaleway, { servers: null }],
    ['upcloud, its inner list', upcloud, { servers: { server: null } }],
    ['upcloud', upcloud, { servers: null }],
    ['ovhcloud', ovhcloud, null],
    ['lightsail', { ...lightsail, origin: 'https://api.example.com' }, { instances: null }],
  ])('%s', async (_name, adapter, body) => {
    const { hosting } = clientOf(adapter, each(adapter, body));
    expect(await hosting.listInstances()).toMatchObject({ instances: [], incomplete: undefined });
  });

  test.each<[string, Adapter, unknown]>([
    ['digitalocean', digitalocean, { invoice_items: null }],
    ['vultr', vultr, { pending_charges: null }],
  ])('the charges of %s', async (_name, adapter, body) => {
    expect((await clientOf(adapter, [{ body }]).hosting.listCharges())?.charges).toEqual([]);
  });

  test.each<[string, Adapter, unknown]>([
    ['digitalocean', digitalocean, { billing_history: null }],
    ['vultr', vultr, { billing_history: null, meta: {} }],
  ])('the bills of %s', async (_name, adapter, body) => {
    expect((await clientOf(adapter, [{ body }]).hosting.listBills())?.bills).toEqual([]);
  });

  test.each([{ data: null }, { data: { instances: null, addons: null } }, { instances: null }])(
    'the usage %j',
    async (body) => {
      const usage = await clientOf(instanceHosting, [{ body }]).hosting.getUsage();
      expect(usage).toEqual({ instances: [], addons: [] });
    },
  );

  test('add-ons and transactions', async () => {
    const { hosting } = clientOf(instanceHosting, [{ body: { data: null } }, { body: { data: null } }]);
    expect((await hosting.listAddons())?.addons).toEqual([]);
    expect((await hosting.listTransactions(1, 10))?.transactions).toEqual([]);
  });

  test('what was begun on an instance, and several actions', async () => {
    const meta = { pagination: { next_page: null, total_entries: 0 } };
    const at = clientOf(hetzner, [{ body: { actions: null, meta } }]).hosting;
    expect((await at.listBegun('42'))?.actions).toEqual([]);
    const drops = clientOf(digitalocean, [{ body: { actions: null, links: {}, meta: {} } }]).hosting;
    expect((await drops.listBegun('42'))?.actions).toEqual([]);
  });
});

test.each<[string, Adapter, unknown]>([
  ['hetzner', hetzner, { servers: [{ id: 1, name: 'web-1', status: 'running' }], meta: null }],
  ['vultr', vultr, { instances: [{ id: '1', label: 'web-1', status: 'active' }], meta: null }],
])('a list of %s without a word of its pages is shown', async (_name, adapter, body) => {
  const { hosting } = clientOf(adapter, each(adapter, body));
  expect((await hosting.listInstances()).instances.map(({ name }) => name)).toEqual(['web-1']);
});

describe('a null beside a word of an error is no empty list', () => {
  test.each([
    { success: false, data: null, message: 'The database is down' },
    { ok: false, instances: null },
    { status: 'error', data: null, message: 'The database is down' },
    { code: 500, data: null },
  ])('%j', async (body) => {
    const answers = Array.from({ length: 2 }, () => ({ body }));
    const { hosting } = clientOf(instanceHosting, answers);
    expect(await faultOf(hosting.listInstances())).toMatchObject({ fault: 'unclear' });
    expect(await faultOf(hosting.getUsage())).toMatchObject({ fault: 'unclear' });
  });

  test.each([
    { success: true, data: null },
    { status: 'success', data: null },
    { code: 0, data: null },
  ])('%j is empty', async (body) => {
    expect((await clientOf(instanceHosting, [{ body }]).hosting.listInstances()).instances).toEqual([]);
  });
});

describe('what is no list stays unreadable', () => {
  test.each<[string, Adapter, unknown]>([
    ['instance-hosting, nothing', instanceHosting, {}],
    ['instance-hosting', instanceHosting, { data: 'none' }],
    ['digitalocean, nothing', digitalocean, {}],
    ['digitalocean', digitalocean, { droplets: {} }],
    ['hetzner', hetzner, null],
    ['hetzner, a page of another kind', hetzner, { servers: [], meta: [] }],
  ])('%s', async (_name, adapter, body) => {
    const { hosting } = clientOf(adapter, each(adapter, body));
    expect(await faultOf(hosting.listInstances())).toMatchObject({ fault: 'unreadable' });
  });

  test('a list that says null where its service counts some is incomplete', async () => {
    const body = { droplets: null, links: {}, meta: { total: 3 } };
    const { hosting } = clientOf(digitalocean, each(digitalocean, body));
    expect((await hosting.listInstances()).incomplete).toBeDefined();
  });
});
