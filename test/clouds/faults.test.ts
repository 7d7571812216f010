import { expect, test } from 'vitest';
import type { Fault } from '../../sandbox/clouds/faults.ts';
import { actionIdOf, fieldOf, KINDS, listOf, openTest } from './calling.ts';

const named = KINDS.map((each) => [each.kind, each] as const);
const POST = { method: 'POST' };

test.each(named)('%s: only the next matching call goes wrong, as often as was said', async (_name, kind) => {
  const { get, power, list, pathOf, cloud } = await openTest({ kind: kind.kind, powerMs: 0 });
  cloud.failNext({ method: 'GET', path: list }, { kind: 'status', status: 500 }, 2);
  expect((await get(pathOf('web-1'))).status).toBe(200);
  expect((await power('web-1', 'stop')).status).toBe(kind.powerStatus);
  expect([(await get(list)).status, (await get(list)).status, (await get(list)).status]).toEqual([
    500, 500, 200,
  ]);
  const takeBack = cloud.failNext({}, { kind: 'status', status: 500 });
  takeBack();
  expect((await get(list)).status).toBe(200);
});

test.each(named)('%s: an error has the body of the cloud, and nothing was done', async (_name, kind) => {
  const { power, cloud } = await openTest({ kind: kind.kind });
  cloud.failNext(POST, { kind: 'status', status: 503, message: 'Down' });
  const refused = await power('web-1', 'stop');
  const bodies = {
    digitalocean: { id: 'service_unavailable', message: 'Down' },
    hetzner: { error: { code: 'unavailable', message: 'Down', details: null } },
    vultr: { error: 'Down', status: 503 },
  };
  expect([refused.status, refused.json]).toEqual([503, bodies[kind.kind]]);
  expect(cloud.calls).toMatchObject([{ status: 503, body: kind.power.stop[1] }]);
  expect(cloud.effects()).toEqual([]);
});

test.each(named)('%s: it acts, and says that it did not', async (_name, kind) => {
  for (const status of [500, 502, 504]) {
    const { power, cloud } = await openTest({ kind: kind.kind });
    cloud.failNext(POST, { kind: 'status', status, acts: true });
    expect((await power('web-1', 'stop')).status).toBe(status);
    expect(cloud.effects()).toMatchObject([{ name: 'web-1' }]);
  }
});

test.each(named)('%s: the connection is cut before it acts, or after', async (_name, kind) => {
  for (const acts of [false, true]) {
    const { power, remove, cloud } = await openTest({ kind: kind.kind, powerMs: 0 });
    cloud.failNext({}, { kind: 'reset', acts }, 2);
    await expect(power('web-1', 'stop')).rejects.toThrow('fetch failed');
    await expect(remove('web-1')).rejects.toThrow('fetch failed');
    expect(cloud.effects().map(({ effect }) => effect === 'delete')).toEqual(acts ? [false, true] : []);
    expect(cloud.calls.map(({ status }) => status)).toEqual(['reset', 'reset']);
  }
});

test('what was done before its answer was lost can be looked up where actions are listed', async () => {
  const droplets = await openTest({ kind: 'digitalocean' });
  droplets.cloud.failNext(POST, { kind: 'reset', acts: true });
  await expect(droplets.power('web-1', 'restart')).rejects.toThrow('fetch failed');
  const { json } = await droplets.get(`${droplets.pathOf('web-1')}/actions`);
  expect(fieldOf(json, 'actions')).toMatchObject([{ type: 'reboot', status: 'in-progress' }]);

  const servers = await openTest({ kind: 'hetzner' });
  servers.cloud.failNext(POST, { kind: 'reset', acts: true });
  await expect(servers.power('web-1', 'restart')).rejects.toThrow('fetch failed');
  const answer = await servers.get(`${servers.pathOf('web-1')}/actions?sort=id:desc`);
  expect(fieldOf(answer.json, 'actions')).toMatchObject([{ command: 'reboot_server', status: 'running' }]);
});

test.each(named)(
  '%s: a slow answer comes once it is let go, and what was asked for is done before that, or after',
  async (_name, kind) => {
    for (const before of [false, true]) {
      const { power, cloud } = await openTest({ kind: kind.kind });
      let letGo = (): void => undefined;
      const until = new Promise<void>((resolve) => (letGo = resolve));
      cloud.failNext(POST, { kind: 'slow', until, before });
      const answer = power('web-1', 'stop');
      await expect.poll(() => (before ? cloud.calls : cloud.effects()), { interval: 1 }).toHaveLength(1);
      expect([cloud.calls[0]?.status, cloud.effects().length]).toEqual(['pending', before ? 0 : 1]);
      letGo();
      expect((await answer).status).toBe(kind.powerStatus);
      expect(cloud.effects()).toHaveLength(1);
    }
  },
);

test.each(named)('%s: a slow answer ends with the cloud', async (_name, kind) => {
  const { power, cloud } = await openTest({ kind: kind.kind });
  cloud.failNext(POST, { kind: 'slow', until: new Promise(() => undefined) });
  const answer = expect(power('web-1', 'stop')).rejects.toThrow('fetch failed');
  await expect.poll(() => cloud.calls, { interval: 1 }).toHaveLength(1);
  await cloud.stop();
  await answer;
  expect(cloud.calls[0]?.status).toBe('reset');
});

test.each(named)('%s: the JSON of an answer breaks off', async (_name, kind) => {
  const { get, power, list, cloud } = await openTest({ kind: kind.kind });
  cloud.failNext({}, { kind: 'malformed' }, 2);
  for (const heard of [await get(list), await power('web-1', 'stop')]) {
    expect(heard.text.startsWith('{')).toBe(true);
    expect(heard.json).toBeUndefined();
  }
  expect(cloud.effects()).toHaveLength(1);
});

test.each(named)('%s: a proxy answers with a page', async (_name, kind) => {
  const { power, get, list, cloud } = await openTest({ kind: kind.kind });
  cloud.failNext(POST, { kind: 'html', acts: true });
  const heard = await power('web-1', 'stop');
  expect([heard.status, heard.headers.get('content-type')]).toEqual([502, 'text/html']);
  expect(cloud.effects()).toHaveLength(1);
  cloud.failNext({}, { kind: 'html', status: 200 });
  expect((await get(list)).text).toContain('<html>');
});

test.each(named)(
  '%s: an action that was accepted ends in an error, and the machine is as it was',
  async (_name, kind) => {
    const { power, show, cloud, advance, get, pathOf } = await openTest({ kind: kind.kind });
    const before = await show('web-1');
    cloud.failNext(POST, { kind: 'action-fails' });
    expect((await power('web-1', 'stop')).status).toBe(kind.powerStatus);
    advance(3_000);
    expect(await show('web-1')).toEqual(before);
    expect(cloud.effects()).toMatchObject([{ outcome: 'failed' }]);
    if (kind.kind === 'vultr') return;
    const [action] = listOf((await get(`${pathOf('web-1')}/actions`)).json, 'actions');
    expect(action).toMatchObject(
      kind.kind === 'digitalocean'
        ? { status: 'errored', type: 'shutdown' }
        : { status: 'error', error: { code: 'action_failed' } },
    );
  },
);

test.each(named)('%s: a stop is completed and the machine stays on, once or always', async (_name, kind) => {
  const { power, show, cloud, advance } = await openTest({
    kind: kind.kind,
    machines: [{ name: 'web-1' }, { name: 'deaf' }],
  });
  const before = await show('web-1');
  cloud.failNext(POST, { kind: 'never-stops' });
  await power('web-1', 'stop');
  advance(3_000);
  expect(await show('web-1')).toEqual(before);
  expect(cloud.effects()).toMatchObject([{ outcome: 'without effect' }]);
  await power('web-1', 'stop');
  advance(3_000);
  expect(await show('web-1')).not.toEqual(before);
});

test('a machine that ignores every graceful stop is stopped by a hard one', async () => {
  const machines = [{ name: 'deaf', ignoresSignals: true }];
  const { call, get, pathOf, show, advance } = await openTest({ kind: 'hetzner', machines });
  const id = actionIdOf((await call('POST', `${pathOf('deaf')}/actions/shutdown`)).json);
  advance(3_000);
  expect(fieldOf((await get(`/v1/actions/${id}`)).json, 'action')).toMatchObject({ status: 'success' });
  expect(await show('deaf')).toMatchObject({ status: 'running' });
  await call('POST', `${pathOf('deaf')}/actions/poweroff`);
  advance(3_000);
  expect(await show('deaf')).toMatchObject({ status: 'off' });
});

test.each(named)('%s: a 429 has the headers of the cloud, and nothing was done', async (_name, kind) => {
  const { power, cloud } = await openTest({ kind: kind.kind });
  const fault: Fault = { kind: 'too-many', waitSeconds: 7 };
  cloud.failNext(POST, fault);
  const refused = await power('web-1', 'stop');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7']);
  if (kind.kind !== 'vultr') expect(refused.headers.get('ratelimit-remaining')).toBe('0');
  expect(cloud.effects()).toEqual([]);
});
