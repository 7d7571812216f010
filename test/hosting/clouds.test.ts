import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adapter as digitalocean } from '../../src/platform/hosting/adapters/digitalocean.ts';
import { adapter as hetzner } from '../../src/platform/hosting/adapters/hetzner.ts';
import { adapter as vultr } from '../../src/platform/hosting/adapters/vultr.ts';
import { loadAdapter } from '../../src/app/load-adapter.ts';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import { listsOf } from '../../src/platform/hosting/read-list.ts';
import type { Instance } from '../../src/platform/hosting/service.ts';
import { digitaloceanExamples } from '../clouds/digitalocean-examples.ts';
import { hetznerExamples } from '../clouds/hetzner-examples.ts';
import { vultrExamples } from '../clouds/vultr-examples.ts';
import { runs } from '../support/runs.ts';
import { clientOf, faultOf } from './answering.ts';

const DROPLET = digitaloceanExamples().one[0]!.droplet;
const SERVER = hetznerExamples().one[0]!.server;
const INSTANCE = {
  ...vultrExamples().one[0]!.instance,
  default_password: 'only-the-owner-knows',
  kvm: 'https://my.vultr.com/subs/vps/novnc/api.php?data=secret',
};

const NO_GPU = { body: { droplets: [], links: {}, meta: { total: 0 } } };

const atVultr = (instance: object): Promise<Instance | undefined> =>
  clientOf(vultr, [{ body: { instance: { ...INSTANCE, ...instance } } }]).hosting.findInstance(INSTANCE.id);

test('every adapter is found by the name of its file, and no other name is', async () => {
  const names = readdirSync('src/platform/hosting/adapters').map((file) => file.replace(/\.ts$/, ''));
  expect(names).toEqual(
    expect.arrayContaining([
      'digitalocean',
      'hetzner',
      'instance-hosting',
      'ovhcloud',
      'scaleway',
      'upcloud',
      'vultr',
    ]),
  );
  for (const name of names)
    for (const { path } of listsOf((await loadAdapter(name)).instances.list)) expect(path).toMatch(/^\//);
  await expect(loadAdapter('nowhere')).rejects.toThrow('there is no adapter nowhere');
});

describe('DigitalOcean', () => {
  test('the list goes on at the link of its page and ends where there is none', async () => {
    const next = 'https://api.digitalocean.com/v2/droplets?per_page=200&page=2';
    const { hosting, asked } = clientOf(digitalocean, [
      { body: { droplets: [DROPLET], links: { pages: { next } }, meta: { total: 2 } } },
      { body: { droplets: [{ ...DROPLET, id: 102 }], links: {}, meta: { total: 2 } } },
      { body: { droplets: [{ ...DROPLET, id: 103 }], links: {}, meta: { total: 1 } } },
    ]);
    const { instances, incomplete, pages } = await hosting.listInstances();
    expect([instances.map(({ id }) => id), incomplete, pages]).toEqual([['101', '102', '103'], undefined, 3]);
    expect(asked.map(({ path }) => path)).toEqual([
      '/v2/droplets?per_page=200',
      '/v2/droplets?per_page=200&page=2',
      '/v2/droplets?type=gpus&per_page=200',
    ]);
  });

  test('a link to another origin is not followed, and the list is called incomplete', async () => {
    const next = 'https://evil.example.test/v2/droplets?page=2';
    const { hosting, asked } = clientOf(digitalocean, [
      { body: { droplets: [DROPLET], links: { pages: { next } }, meta: { total: 2 } } },
      NO_GPU,
    ]);
    expect((await hosting.listInstances()).incomplete).toEqual({ read: 1, total: 2, isCertain: true });
    expect(asked).toHaveLength(2);
  });

  test('a key of which only GPU Droplets are known shows these', async () => {
    const { hosting } = clientOf(digitalocean, [NO_GPU, { body: { droplets: [DROPLET], links: {} } }]);
    expect((await hosting.checkKey()).map(({ id }) => id)).toEqual(['101']);
  });

  test('a key that shows another Droplet is asked for no GPU Droplets', async () => {
    const { hosting, asked } = clientOf(digitalocean, [{ body: { droplets: [DROPLET], links: {} } }]);
    expect((await hosting.checkKey()).map(({ id }) => id)).toEqual(['101']);
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['DigitalOcean', digitalocean, 'errored'],
    ['Hetzner Cloud', hetzner, 'error'],
  ])('at %s, what became of another action says nothing of this one', async (_name, adapter, status) => {
    const { hosting } = clientOf(adapter, [{ body: { action: { id: 9002, status } } }]);
    expect(await faultOf(hosting.findAction('9001'))).toMatchObject({ fault: 'unreadable' });
  });

  test('what was begun on a Droplet is listed with its kind and its time', async () => {
    const body = (next: object) => ({
      actions: [
        { id: 9002, status: 'in-progress', type: 'power_cycle', started_at: '2026-01-06T08:00:30Z' },
        { id: 9001, status: 'completed', type: 'snapshot', started_at: '2026-01-06T08:00:00Z' },
      ],
      ...next,
      meta: { total: 2 },
    });
    const headers = { date: 'Tue, 06 Jan 2026 08:00:31 GMT' };
    const { hosting, asked } = clientOf(digitalocean, [
      { headers, body: body({ links: {} }) },
      { body: body({ links: { pages: { next: 'https://api.digitalocean.com/v2/next' } } }) },
      { status: 404, body: { id: 'not_found', message: 'no such Droplet' } },
    ]);
    const startedAt = Date.UTC(2026, 0, 6, 8, 0, 30);
    const actions = [
      { id: '9002', does: 'force-restart', startedAt, state: 'running' },
      { id: '9001', does: undefined, startedAt: startedAt - 30_000, state: 'done' },
    ];
    expect(await hosting.listBegun('101')).toEqual({ actions, hasMore: false, servedAt: startedAt + 1_000 });
    expect(await hosting.listBegun('101')).toEqual({ actions, hasMore: true });
    expect(await hosting.listBegun('101')).toBeUndefined();
    expect(asked[0]).toEqual({ method: 'GET', path: '/v2/droplets/101/actions?per_page=200' });
  });

  test('several actions are asked for one by one', async () => {
    const { hosting, asked } = clientOf(digitalocean, [
      { body: { action: { id: 1, status: 'completed' } } },
      { body: { action: { id: 2, status: 'errored' } } },
    ]);
    const actionOf = hosting.findActions(['1', '2']);
    expect([await actionOf('1'), await actionOf('2')]).toEqual([{ state: 'done' }, { state: 'failed' }]);
    expect(asked.map(({ path }) => path)).toEqual(['/v2/actions/1', '/v2/actions/2']);
  });
});

describe('Hetzner Cloud', () => {
  test('the list goes on at the next page, also where nobody says how many there are', async () => {
    const { hosting, asked } = clientOf(hetzner, [
      { body: { servers: [SERVER], meta: { pagination: { next_page: 2, total_entries: null } } } },
      { body: { servers: [{ ...SERVER, id: 43 }], meta: { pagination: { next_page: null } } } },
    ]);
    const { instances, incomplete } = await hosting.listInstances();
    expect([instances.map(({ id }) => id), incomplete]).toEqual([['42', '43'], undefined]);
    expect(asked.map(({ path }) => path)).toEqual([
      '/v1/servers?per_page=50',
      '/v1/servers?per_page=50&page=2',
    ]);
  });

  test("an action's error counts only where the action failed", async () => {
    const error = { code: 'action_failed', message: 'It failed' };
    const answer = (status: string) => ({ body: { action: { id: 13, status, error } } });
    const { hosting } = clientOf(hetzner, ['running', 'success', 'error'].map(answer));
    expect(await hosting.findAction('13')).toEqual({ state: 'running' });
    expect(await hosting.findAction('13')).toEqual({ state: 'done' });
    expect(await hosting.findAction('13')).toEqual({ state: 'failed', said: 'It failed' });
  });

  test('what was begun on a server is listed with its kind and its time, the newest first', async () => {
    const action = (id: number, command: string, started: string) => ({
      id,
      command,
      status: 'success',
      started,
      error: null,
    });
    const pages = (next_page: number | null) => ({ pagination: { next_page, total_entries: null } });
    const { hosting, asked } = clientOf(hetzner, [
      {
        headers: { date: 'Tue, 06 Jan 2026 08:00:31 GMT' },
        body: {
          actions: [
            action(14, 'reboot_server', '2026-01-06T08:00:30+00:00'),
            action(13, 'change_protection', '2026-01-06T07:00:00Z'),
          ],
          meta: pages(2),
        },
      },
    ]);
    const startedAt = Date.UTC(2026, 0, 6, 8, 0, 30);
    expect(await hosting.listBegun('42')).toEqual({
      actions: [
        { id: '14', does: 'restart', startedAt, state: 'done' },
        { id: '13', does: undefined, startedAt: Date.UTC(2026, 0, 6, 7), state: 'done' },
      ],
      hasMore: true,
      servedAt: startedAt + 1_000,
    });
    expect(asked).toEqual([{ method: 'GET', path: '/v1/servers/42/actions?sort=id:desc&per_page=50' }]);
  });

  test('up to 50 actions are asked for in one call, and one alone by itself', async () => {
    const ids = Array.from({ length: 60 }, (_, nth) => nth + 1);
    const answer = (some: readonly number[]) => ({
      body: {
        actions: some.map((id) => ({ id, status: 'success', error: null })),
        meta: { pagination: {} },
      },
    });
    const { hosting, asked } = clientOf(hetzner, [
      answer(ids.slice(0, 49)),
      answer(ids.slice(50)),
      { body: { action: { id: 7, status: 'running', error: null } } },
    ]);
    const actionOf = hosting.findActions(ids.map(String));
    expect(asked).toEqual([]);
    const found = await Promise.all(ids.map((id) => actionOf(String(id))));
    expect(found.filter((each) => each?.state === 'done')).toHaveLength(59);
    // The service knows nothing of it any more.
    expect(found[49]).toBeUndefined();
    expect(await hosting.findActions(['7'])('7')).toEqual({ state: 'running' });
    expect(asked.map(({ path }) => path)).toEqual([
      `/v1/actions?${ids
        .slice(0, 50)
        .map((id) => `id=${id}`)
        .join('&')}&per_page=50`,
      `/v1/actions?${ids
        .slice(50)
        .map((id) => `id=${id}`)
        .join('&')}&per_page=50`,
      '/v1/actions/7',
    ]);
  });

  test.each([
    [423, 'locked', 'busy', true],
    [423, 'protected', 'protected', false],
    [409, 'conflict', 'busy', true],
    [409, 'uniqueness_error', 'wrong-state', false],
    [403, 'resource_limit_exceeded', 'refused', false],
    [403, 'forbidden', 'forbidden', false],
    [401, 'token_readonly', 'forbidden', false],
    [401, 'unauthorized', 'unauthorized', false],
    [429, 'rate_limit_exceeded', 'rate-limited', true],
  ])('%i %s is %s, and nothing was done', async (status, code, fault, retryable) => {
    const body = { error: { code, message: 'no', details: null } };
    const { hosting } = clientOf(hetzner, [{ status, body }]);
    expect(await faultOf(hosting.deleteInstance('42'))).toMatchObject({
      fault,
      retryable,
      outcome: 'not-done',
    });
  });
});

describe('Vultr', () => {
  test('an instance is what the list says of it, without its secrets', async () => {
    const instance = await atVultr({});
    expect(instance).toEqual({
      id: INSTANCE.id,
      name: 'web-1',
      status: 'running',
      statusWord: 'running',
      can: {},
      createdAt: '2026-01-05 10:00:00+00:00',
      tier: 'vc2-1c-1gb',
      ipAddress: '192.0.2.30',
      hostname: 'web-1',
      region: 'fra',
      labels: ['prod'],
    });
    expect(JSON.stringify(instance)).not.toMatch(/only-the-owner-knows|novnc/);
  });

  test('one of which no server status is known runs as its power says', async () => {
    expect(await atVultr({ server_status: 'none' })).toMatchObject({ status: 'running' });
  });

  test('one without a label has its host name, and one without an address has none', async () => {
    const instance = await atVultr({ label: '', main_ip: '0.0.0.0' });
    expect([instance?.name, instance?.ipAddress]).toEqual(['web-1', undefined]);
  });

  test('the list goes on at its cursor and ends at an empty one', async () => {
    const { hosting, asked } = clientOf(vultr, [
      { body: { instances: [INSTANCE], meta: { total: 2, links: { next: 'bmV4dA==', prev: '' } } } },
      { body: { instances: [{ ...INSTANCE, id: 'b' }], meta: { total: 2, links: { next: '' } } } },
    ]);
    const { instances, incomplete } = await hosting.listInstances();
    expect([instances.length, incomplete]).toEqual([2, undefined]);
    expect(asked.map(({ path }) => path)).toEqual([
      '/v2/instances?per_page=500',
      '/v2/instances?per_page=500&cursor=bmV4dA%3D%3D',
    ]);
  });

  test.each([
    ['start', 'start'],
    ['stop', 'halt'],
    ['restart', 'reboot'],
  ] as const)('%s asks for %s, and nothing says how it fares', async (power, name) => {
    const { hosting, asked } = clientOf(vultr, [{ status: 204 }]);
    expect(await hosting.powerInstance(INSTANCE.id, power)).toEqual({});
    expect(asked).toEqual([{ method: 'POST', path: `/v2/instances/${INSTANCE.id}/${name}` }]);
    expect(await hosting.findAction('1')).toBeUndefined();
    expect(await hosting.findActions(['1', '2'])('2')).toBeUndefined();
    expect(await hosting.listBegun(INSTANCE.id)).toBeUndefined();
    expect(asked).toHaveLength(1);
  });
});

test('what is to be paid keeps its sign: positive is owed, negative is credit', async () => {
  const droplets = clientOf(digitalocean, [
    { body: { account_balance: '-40.00', month_to_date_usage: '12.50', month_to_date_balance: '-27.50' } },
  ]);
  expect(await droplets.hosting.getSpending()).toMatchObject({ monthSoFar: '12.50', owedBefore: '-40.00' });
  const instances = clientOf(vultr, [{ body: { account: { balance: 79.48, pending_charges: 12.25 } } }]);
  expect(await instances.hosting.getSpending()).toMatchObject({ monthSoFar: '12.25', owedBefore: '79.48' });
  for (const adapter of [digitalocean, hetzner, vultr]) {
    const { hosting, asked } = clientOf(adapter, []);
    expect(await hosting.getBalance()).toBeUndefined();
    expect(asked).toEqual([]);
  }
  expect(clientOf(hetzner, []).hosting.about.offers.billing).toBeUndefined();
});

test.each([
  ['digitalocean', digitalocean],
  ['hetzner', hetzner],
  ['vultr', vultr],
])('whatever %s answers is read, or is a fault of the service', async (_, adapter) => {
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record(
      Object.fromEntries(
        ['droplets', 'servers', 'instances', 'droplet', 'server', 'instance', 'action', 'links', 'meta'].map(
          (name) => [name, fc.oneof(fc.jsonValue(), fc.array(fc.constantFrom(DROPLET, SERVER, INSTANCE)))],
        ),
      ),
      { requiredKeys: [] },
    ),
  );
  await fc.assert(
    fc.asyncProperty(body, async (answer) => {
      const { hosting } = clientOf(
        adapter,
        Array.from({ length: 60 }, () => ({ body: answer })),
      );
      for (const call of [
        () => hosting.listInstances(),
        () => hosting.findInstance('1'),
        () => hosting.findAction('1'),
        () => hosting.findActions(['1', '2'])('2'),
        () => hosting.listBegun('1'),
        () => hosting.getSpending(),
        () => hosting.powerInstance('1', 'restart'),
        () => hosting.deleteInstance('1'),
      ]) {
        const error: unknown = await call().then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error !== undefined) expect(error).toBeInstanceOf(HostingError);
      }
    }),
    { numRuns: runs(500) },
  );
});
