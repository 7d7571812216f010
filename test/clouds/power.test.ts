import { expect, test } from 'vitest';
import { actionIdOf, fieldOf, KINDS, listOf, openTest } from './calling.ts';

const named = KINDS.map((each) => [each.kind, each] as const);

test.each(named)(
  '%s: a stop and a start take their time, and then the machine is off and on again',
  async (_name, kind) => {
    const { power, cloud, advance, off } = await openTest({ kind: kind.kind, powerMs: 5_000 });
    const offWords = typeof off === 'string' ? { status: off } : off;
    const running = cloud.machine('web-1').words;
    expect((await power('web-1', 'stop')).status).toBe(kind.powerStatus);
    advance(4_999);
    expect(cloud.machine('web-1').words).not.toMatchObject(offWords);
    expect(cloud.effects()).toMatchObject([{ name: 'web-1', outcome: 'running' }]);
    advance(1);
    expect(cloud.machine('web-1').words).toMatchObject(offWords);
    expect((await power('web-1', 'start')).status).toBe(kind.powerStatus);
    advance(5_000);
    expect(cloud.machine('web-1').words).toEqual(running);
    expect(cloud.effects()).toMatchObject([{ outcome: 'done' }, { effect: 'start', outcome: 'done' }]);
  },
);

test.each(named)('%s: with no time for it, a stop is over before the next request', async (_name, kind) => {
  const { power, cloud, show, off } = await openTest({ kind: kind.kind, powerMs: 0 });
  await power('web-1', 'stop');
  expect(await show('web-1')).toMatchObject(typeof off === 'string' ? { status: off } : off);
  await power('web-1', 'start');
  expect(cloud.machine('web-1').words).not.toMatchObject(typeof off === 'string' ? { status: off } : off);
});

test.each(named)(
  '%s: a busy machine refuses everything that would change it, until its action has ended',
  async (_name, kind) => {
    const { power, remove, cloud, advance } = await openTest({ kind: kind.kind });
    await power('web-1', 'restart');
    for (const refused of [await power('web-1', 'stop'), await remove('web-1')]) {
      expect(refused.status).toBe(kind.busyStatus);
    }
    expect(cloud.effects()).toHaveLength(1);
    advance(3_000);
    expect((await power('web-1', 'stop')).status).toBe(kind.powerStatus);
  },
);

test.each(named)(
  '%s: a machine that was locked from outside is busy until it is unlocked',
  async (_name, kind) => {
    const { power, cloud, show } = await openTest({ kind: kind.kind });
    cloud.lock('web-1');
    expect((await power('web-1', 'stop')).status).toBe(kind.busyStatus);
    expect(await show('web-1')).toMatchObject(
      kind.kind === 'vultr' ? { server_status: 'locked' } : { locked: true },
    );
    cloud.unlock('web-1');
    expect(await show('web-1')).toMatchObject(
      kind.kind === 'vultr' ? { server_status: 'ok' } : { locked: false },
    );
    expect((await power('web-1', 'stop')).status).toBe(kind.powerStatus);
  },
);

test.each(named)(
  '%s: a record says that an action runs, or does not where a test wants that',
  async (_name, kind) => {
    for (const hidesLock of [false, true]) {
      const { power, show } = await openTest({ kind: kind.kind, hidesLock });
      await power('web-1', 'restart');
      const shown =
        kind.kind === 'vultr' ? { server_status: hidesLock ? 'ok' : 'locked' } : { locked: !hidesLock };
      expect(await show('web-1')).toMatchObject(shown);
      expect((await power('web-1', 'stop')).status).toBe(kind.busyStatus);
    }
  },
);

test.each(named)(
  '%s: whether a machine that is on can be started is undocumented, so a test says it',
  async (_name, kind) => {
    const accepting = await openTest({ kind: kind.kind, alreadyThere: 'accept' });
    expect((await accepting.power('web-1', 'start')).status).toBe(kind.powerStatus);
    expect((await accepting.power('db-1', 'stop')).status).toBe(kind.powerStatus);
    const refusing = await openTest({ kind: kind.kind, alreadyThere: 'refuse' });
    const status = kind.kind === 'vultr' ? 400 : 422;
    expect((await refusing.power('web-1', 'start')).status).toBe(status);
    expect((await refusing.power('db-1', 'stop')).status).toBe(status);
    expect((await refusing.power('db-1', 'restart')).status).toBe(status);
    expect(refusing.cloud.effects()).toEqual([]);
  },
);

test.each([
  ['power_on', 'off', 'active'],
  ['shutdown', 'active', 'off'],
  ['power_off', 'active', 'off'],
  ['reboot', 'active', 'active'],
  ['power_cycle', 'active', 'active'],
])('DigitalOcean: %s takes a droplet from %s to %s, with an action to poll', async (type, from, to) => {
  const { call, get, pathOf, advance, show, now } = await openTest({
    kind: 'digitalocean',
    machines: [{ name: 'web-1', status: from }],
  });
  const begun = await call('POST', `${pathOf('web-1')}/actions`, { type });
  expect(begun.status).toBe(201);
  const action = { ...Object(fieldOf(begun.json, 'action')), id: actionIdOf(begun.json) };
  expect(action).toMatchObject({ status: 'in-progress', type, completed_at: null, resource_type: 'droplet' });
  expect(await show('web-1')).toMatchObject({ status: from, locked: true });
  const beganAt = now();
  advance(3_000);
  const done = {
    ...action,
    status: 'completed',
    completed_at: new Date(beganAt + 3_000).toISOString().replace('.000', ''),
  };
  expect((await get(`/v2/actions/${action.id}`)).json).toEqual({ action: done });
  expect(fieldOf((await get(`${pathOf('web-1')}/actions`)).json, 'actions')).toEqual([done]);
  expect(await show('web-1')).toMatchObject({ status: to, locked: false });
});

test.each([
  ['poweron', 'start_server', 'off', 'starting', 'running'],
  ['shutdown', 'shutdown_server', 'running', 'stopping', 'off'],
  ['poweroff', 'stop_server', 'running', 'stopping', 'off'],
  ['reboot', 'reboot_server', 'running', 'running', 'running'],
  ['reset', 'reset_server', 'running', 'running', 'running'],
])('Hetzner: %s is the action %s, from %s over %s to %s', async (name, command, from, over, to) => {
  const { call, get, pathOf, advance, show } = await openTest({
    kind: 'hetzner',
    machines: [{ name: 'web-1', status: from }, { name: 'web-2' }],
  });
  const begun = await call('POST', `${pathOf('web-1')}/actions/${name}`);
  expect(begun.status).toBe(201);
  const action = { ...Object(fieldOf(begun.json, 'action')), id: actionIdOf(begun.json) };
  expect(action).toMatchObject({ status: 'running', command, progress: 0, finished: null, error: null });
  expect(await show('web-1')).toMatchObject({ status: over, locked: true });
  const other = await call('POST', `${pathOf('web-2')}/actions/reboot`);
  for (const [status, open] of [
    ['running', 1],
    ['success', 0],
  ] as const) {
    const { json } = await get(`${pathOf('web-1')}/actions?status=${status}`);
    expect(listOf(json, 'actions')).toHaveLength(open);
  }
  advance(3_000);
  const ids = [action.id, actionIdOf(other.json)];
  const polled = await get(`/v1/actions?id=${ids[1]}&id=${ids[0]}&id=1`);
  expect(listOf(polled.json, 'actions')).toMatchObject(
    ids.map((id) => ({ id, status: 'success', progress: 100, error: null })),
  );
  expect(await show('web-1')).toMatchObject({ status: to, locked: false });
});

test('an action that takes no time is open in its own answer, and over in the next', async () => {
  const droplets = await openTest({ kind: 'digitalocean', powerMs: 0 });
  const reboot = (await droplets.power('web-1', 'restart')).json;
  expect(fieldOf(reboot, 'action')).toMatchObject({ status: 'in-progress', completed_at: null });
  const seen = await droplets.get(`/v2/actions/${actionIdOf(reboot)}`);
  expect(fieldOf(seen.json, 'action')).toMatchObject({ status: 'completed' });

  const servers = await openTest({ kind: 'hetzner', powerMs: 0 });
  const begun = (await servers.power('web-1', 'restart')).json;
  expect(fieldOf(begun, 'action')).toMatchObject({ status: 'running', progress: 0 });
  const { json } = await servers.get(`/v1/actions/${actionIdOf(begun)}`);
  expect(fieldOf(json, 'action')).toMatchObject({ status: 'success' });
});

test('DigitalOcean: the newest action comes first, and each belongs to one droplet', async () => {
  const { power, get, pathOf } = await openTest({ kind: 'digitalocean', powerMs: 0 });
  const other = actionIdOf((await power('db-1', 'start')).json);
  const [older, newer] = [await power('web-1', 'restart'), await power('web-1', 'stop')].map(({ json }) =>
    actionIdOf(json),
  );
  const { json } = await get(`${pathOf('web-1')}/actions`);
  expect(listOf(json, 'actions').map(({ id }) => id)).toEqual([newer, older]);
  expect((await get(`${pathOf('web-1')}/actions/${other}`)).status).toBe(404);
  expect((await get(`${pathOf('db-1')}/actions/${other}`)).status).toBe(200);
});

test('a machine that is being made has no address yet', async () => {
  const droplets = await openTest({ kind: 'digitalocean', machines: [{ name: 'fresh', status: 'new' }] });
  expect(await droplets.show('fresh')).toMatchObject({ networks: {} });
  expect(await droplets.show('fresh')).not.toHaveProperty(['networks', 'v4']);
  const instances = await openTest({ kind: 'vultr', machines: [{ name: 'fresh', status: 'pending' }] });
  expect(await instances.show('fresh')).toMatchObject({ main_ip: '0.0.0.0' });
  instances.cloud.setStatus('fresh', 'active');
  expect(await instances.show('fresh')).not.toMatchObject({ main_ip: '0.0.0.0' });
});

test('Vultr: nothing shows that a reboot ended, and one call does several', async () => {
  const { call, cloud, show, advance, power } = await openTest({ kind: 'vultr', hidesLock: true });
  const before = await show('web-1');
  await power('web-1', 'restart');
  expect(await show('web-1')).toEqual(before);
  advance(3_000);
  const instance_ids = [...cloud.machines().map(({ id }) => id), '00000000-0000-4000-8000-000000000000'];
  expect((await call('POST', '/v2/instances/halt', { instance_ids })).status).toBe(204);
  advance(3_000);
  expect(await show('web-1')).toMatchObject({ status: 'active', power_status: 'stopped' });
  expect((await call('POST', '/v2/instances/halt', { instance_ids: [] })).status).toBe(400);
});

test('Vultr: a busy instance takes another call where a test wants that', async () => {
  const { power, cloud } = await openTest({ kind: 'vultr', acceptsWhileBusy: true });
  await power('web-1', 'restart');
  expect((await power('web-1', 'stop')).status).toBe(204);
  expect(cloud.effects()).toHaveLength(2);
});

test.each([
  [2_000, 3_000, { status: 'active', locked: false }],
  [-2_000, 1_000, { status: 'off', locked: true }],
])(
  'DigitalOcean: a status can turn %i ms from the end of its action',
  async (statusLagMs, passedMs, shown) => {
    const { power, show, advance } = await openTest({ kind: 'digitalocean', statusLagMs });
    await power('web-1', 'stop');
    advance(passedMs);
    expect(await show('web-1')).toMatchObject(shown);
    advance(4_000);
    expect(await show('web-1')).toMatchObject({ status: 'off', locked: false });
  },
);

test('Hetzner: actions that run or succeeded can carry an error that means nothing', async () => {
  const { power } = await openTest({ kind: 'hetzner', hasStrayErrors: true });
  expect(fieldOf((await power('web-1', 'restart')).json, 'action')).toMatchObject({
    status: 'running',
    error: { code: 'action_failed' },
  });
});
