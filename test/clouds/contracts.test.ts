import { expect, test } from 'vitest';
import type { ZodType } from 'zod';
import { actionIdOf, fieldOf, listOf, openTest, type Heard } from './calling.ts';
import { digitalocean } from './digitalocean-contract.ts';
import { hetzner } from './hetzner-contract.ts';
import { vultr } from './vultr-contract.ts';
import { digitaloceanExamples } from './digitalocean-examples.ts';
import { hetznerExamples } from './hetzner-examples.ts';
import { vultrExamples } from './vultr-examples.ts';

test.each([
  ['digitalocean', digitalocean, digitaloceanExamples()],
  ['hetzner', hetzner, hetznerExamples()],
  ['vultr', vultr, vultrExamples()],
] as const)(
  'the shapes that the tests hold %s to accept the examples of its contract',
  (_kind, shapes, examples) => {
    for (const [name, values] of Object.entries(examples)) {
      const shape = (shapes as Record<string, ZodType>)[name]!;
      for (const value of values as unknown[]) expect(shape.safeParse(value).error, name).toBeUndefined();
    }
  },
);

test('every answer of DigitalOcean that worked is as its contract says, in every status', async () => {
  const { cloud, get, call, pathOf, advance } = await openTest({
    kind: 'digitalocean',
    machines: [
      { name: 'web-1', tags: ['env:prod'], hasBackups: true, volumes: ['v-1'] },
      { name: 'node', isManaged: true },
      { name: 'model', size: 'gpu-h100x1-80gb' },
    ],
  });
  for (const status of ['new', 'off', 'archive', 'active']) {
    cloud.setStatus('web-1', status);
    satisfies(digitalocean.list, await get('/v2/droplets'), 200);
    satisfies(digitalocean.one, await get(pathOf('web-1')), 200);
  }
  satisfies(digitalocean.list, await get('/v2/droplets?type=gpus'), 200);
  satisfies(digitalocean.list, await get('/v2/droplets?per_page=1'), 200);
  satisfies(digitalocean.list, await get('/v2/droplets?per_page=1&page=2'), 200);
  const begun = await call('POST', `${pathOf('web-1')}/actions`, { type: 'reboot' });
  satisfies(digitalocean.action, begun, 201);
  const id = actionIdOf(begun.json);
  for (const ms of [0, 3_000]) {
    advance(ms);
    satisfies(digitalocean.action, await get(`/v2/actions/${id}`), 200);
    satisfies(digitalocean.action, await get(`${pathOf('web-1')}/actions/${id}`), 200);
    satisfies(digitalocean.actions, await get(`${pathOf('web-1')}/actions`), 200);
  }
  satisfies(digitalocean.balance, await get('/v2/customers/my/balance'), 200);
  expect((await get('/v2/customers/my/prepayment_status')).status).toBe(404);
  cloud.setMoney({ prepaidCents: 2_500 });
  satisfies(digitalocean.prepaid, await get('/v2/customers/my/prepayment_status'), 200);
  satisfies(digitalocean.history, await get('/v2/customers/my/billing_history'), 200);
  const invoices = await get('/v2/customers/my/invoices');
  satisfies(digitalocean.invoices, invoices, 200);
  const [invoice] = listOf(invoices.json, 'invoices');
  for (const each of ['preview', String(invoice!['invoice_uuid'])]) {
    satisfies(digitalocean.items, await get(`/v2/customers/my/invoices/${each}`), 200);
  }
  const stays = await get(`${pathOf('web-1')}/destroy_with_associated_resources`);
  expect(fieldOf(stays.json, 'volumes')).toEqual([{ id: 'v-1', name: 'volume-v-1', cost: '10.00' }]);
  isEmpty(await call('DELETE', pathOf('web-1')));
});

test('every answer of Hetzner that worked is as its contract says, in every status', async () => {
  const { cloud, get, call, pathOf, advance } = await openTest({
    kind: 'hetzner',
    machines: [{ name: 'web-1', labels: { env: 'prod' }, hasBackups: true, volumes: ['11'], region: 'ash' }],
  });
  for (const status of 'initializing starting stopping off deleting migrating rebuilding unknown running'.split(
    ' ',
  )) {
    cloud.setStatus('web-1', status);
    satisfies(hetzner.list, await get('/v1/servers'), 200);
    satisfies(hetzner.one, await get(pathOf('web-1')), 200);
  }
  const begun = await call('POST', `${pathOf('web-1')}/actions/reboot`);
  satisfies(hetzner.action, begun, 201);
  const id = actionIdOf(begun.json);
  for (const ms of [0, 3_000]) {
    advance(ms);
    satisfies(hetzner.action, await get(`/v1/actions/${id}`), 200);
    satisfies(hetzner.action, await get(`${pathOf('web-1')}/actions/${id}`), 200);
    satisfies(hetzner.actions, await get(`/v1/actions?id=${id}&id=1`), 200);
    satisfies(hetzner.actions, await get(`${pathOf('web-1')}/actions?sort=id:desc&status=running`), 200);
  }
  for (const isProtected of [true, false]) {
    const body = { delete: isProtected, rebuild: isProtected };
    satisfies(hetzner.action, await call('POST', `${pathOf('web-1')}/actions/change_protection`, body), 201);
    satisfies(hetzner.one, await get(pathOf('web-1')), 200);
  }
  satisfies(hetzner.pricing, await get('/v1/pricing'), 200);
  satisfies(hetzner.action, await call('DELETE', pathOf('web-1')), 200);
  satisfies(hetzner.one, await get(pathOf('web-1')), 200);
});

test('every answer of Vultr that worked is as its contract says, in every state', async () => {
  const { cloud, get, call, pathOf } = await openTest({ kind: 'vultr', powerMs: 0 });
  const states: readonly Readonly<Record<string, string>>[] = [
    { status: 'pending', server_status: 'none' },
    { status: 'suspended', power_status: 'stopped' },
    { status: 'resizing' },
    { status: 'active', server_status: 'installingbooting' },
    { status: 'active', server_status: 'locked' },
    { status: 'active', server_status: 'ok', power_status: 'running' },
  ];
  for (const state of states) {
    cloud.setStatus('web-1', state);
    satisfies(vultr.list, await get('/v2/instances?show_pending_charges=true'), 200);
    satisfies(vultr.one, await get(pathOf('web-1')), 200);
  }
  for (const command of ['halt', 'start', 'reboot']) {
    isEmpty(await call('POST', `${pathOf('web-1')}/${command}`));
    isEmpty(await call('POST', `/v2/instances/${command}`, { instance_ids: [cloud.machine('db-1').id] }));
  }
  satisfies(vultr.account, await get('/v2/account'), 200);
  satisfies(vultr.history, await get('/v2/billing/history'), 200);
  satisfies(vultr.invoices, await get('/v2/billing/invoices'), 200);
  satisfies(vultr.pending, await get('/v2/billing/pending-charges'), 200);
  satisfies(vultr.plans, await get('/v2/plans'), 200);
  isEmpty(await call('DELETE', pathOf('web-1')));
});

function satisfies(shape: ZodType, heard: Heard, status: number): void {
  expect(heard.status, heard.text).toBe(status);
  expect(heard.headers.get('content-type')).toBe('application/json');
  expect(shape.safeParse(heard.json).error).toBeUndefined();
}

function isEmpty(heard: Heard): void {
  expect([heard.status, heard.text, heard.headers.get('content-type')]).toEqual([204, '', null]);
}
