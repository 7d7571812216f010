import { expect, test } from 'vitest';
import { statuses } from '../../sandbox/hosting/status.ts';
import { sentinel, worldOf } from '../../sandbox/world.ts';
import { dataOf, listOf, openSandbox } from './hosting-caller.ts';

test.each([
  ['stop', 101, 'stopping', 'stopped'],
  ['restart', 101, 'restarting', 'running'],
  ['start', 104, 'starting', 'running'],
])(
  'a %s passes through a transitional status and settles when its time is over',
  async (action, id, via, end) => {
    const { get, post, clock } = await openSandbox({ powerMs: 5_000 });
    const answer = await post(`/instances/${id}/${action}`);
    expect(dataOf(answer)).toMatchObject({
      status: via,
      can_start: false,
      can_stop: false,
      can_restart: false,
    });
    clock.advance(4_999);
    expect(dataOf(await get(`/instances/${id}`))['status']).toBe(via);
    clock.advance(1);
    expect(dataOf(await get(`/instances/${id}`))['status']).toBe(end);
  },
);

test('in the documented style the answer carries the final status, and a restart never leaves running', async () => {
  const { get, post, sandbox } = await openSandbox({ style: 'documented' });
  const seen: string[] = [];
  sandbox.events.on('status', ({ to }) => seen.push(to));
  expect(dataOf(await post('/instances/101/restart'))['status']).toBe('running');
  expect(dataOf(await post('/instances/102/stop'))['status']).toBe('stopped');
  expect(dataOf(await get('/instances/101'))['status']).toBe('running');
  expect(seen).toEqual(['stopped']);
});

test('what can_* says is what the service then does, in every status', async () => {
  const { get, post, sandbox } = await openSandbox();
  for (const status of statuses) {
    for (const action of ['start', 'stop', 'restart']) {
      sandbox.changeStatus(101, status);
      const allowed = dataOf(await get('/instances/101'))[`can_${action}`];
      const answer = await post(`/instances/101/${action}`);
      expect(answer.status, `${action} while ${status}`).toBe(allowed === true ? 200 : 422);
      if (answer.status === 422) expect(answer.json).not.toHaveProperty('error.details');
    }
  }
});

test('whatever isn’t under way in a power action or a deletion can be deleted', async () => {
  const { remove, sandbox } = await openSandbox();
  for (const status of statuses) {
    sandbox.changeStatus(101, status);
    const expected = ['starting', 'stopping', 'restarting', 'deleting'].includes(status) ? 422 : 200;
    expect((await remove('/instances/101')).status, status).toBe(expected);
  }
});

test('a deleted instance is seen deleting, refuses a second deletion, and is then gone with its add-ons', async () => {
  const { get, remove, clock } = await openSandbox();
  expect(dataOf(await remove('/instances/101'))).toMatchObject({
    id: 101,
    status: 'deleting',
    can_stop: false,
  });
  const again = await remove('/instances/101');
  expect(again.status).toBe(422);
  expect(again.json).not.toHaveProperty('error.details');
  clock.advance(3_000);
  expect((await get('/instances/101')).status).toBe(404);
  expect((await remove('/instances/101')).status).toBe(404);
  expect(listOf(await get('/addons')).map((each) => each['instance_id'])).toEqual([105]);
  expect(JSON.stringify((await get('/billing/transactions?per_page=100')).json)).toContain(
    '"instance_id":101',
  );
});

test('another customer’s instance answers exactly as one that never was', async () => {
  const { call } = await openSandbox();
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/stop'],
    ['POST', '/addons'],
  ] as const) {
    const theirs = await call(method, `/api/v1/instances/301${path}`);
    const nobodys = await call(method, `/api/v1/instances/999999${path}`);
    expect([theirs.status, theirs.text]).toEqual([404, nobodys.text]);
  }
  const list = await call('GET', '/api/v1/instances', {
    headers: { authorization: 'Bearer oc_live_demo_inland' },
  });
  expect(listOf(list).map((each) => each['id'])).toEqual([301, 302]);
});

test('never-starts is starting for ever', async () => {
  const { get, post, clock } = await openSandbox({ world: worldOf([sentinel('never-starts')]) });
  await post('/instances/201/start');
  clock.advance(3_600_000);
  expect(dataOf(await get('/instances/201'))['status']).toBe('starting');
});

test('breaks ends a restart in error and says that it is unhealthy', async () => {
  const { get, post, clock } = await openSandbox({ world: worldOf([sentinel('breaks')]) });
  await post('/instances/202/restart');
  clock.advance(3_000);
  expect(dataOf(await get('/instances/202'))).toMatchObject({ status: 'error', health_status: 'unhealthy' });
});

test('loses-answers does what it is told and cuts the connection', async () => {
  const { post, sandbox } = await openSandbox();
  await expect(post('/instances/203/stop')).rejects.toThrow('fetch failed');
  expect(sandbox.statusOf(203)).toBe('stopping');
  expect(sandbox.calls.at(-1)?.status).toBe('reset');
});

test('loses-requests cuts the connection and does nothing', async () => {
  const { post, remove, sandbox } = await openSandbox();
  await expect(post('/instances/204/stop')).rejects.toThrow('fetch failed');
  await expect(remove('/instances/204')).rejects.toThrow('fetch failed');
  expect(sandbox.statusOf(204)).toBe('running');
});

test('says-503 refuses once without doing anything, always-503 for ever', async () => {
  const { post, sandbox } = await openSandbox();
  expect((await post('/instances/205/restart')).status).toBe(503);
  expect(sandbox.statusOf(205)).toBe('running');
  expect((await post('/instances/205/restart')).status).toBe(200);
  for (const _ of [1, 2, 3]) expect((await post('/instances/206/restart')).status).toBe(503);
});

test('says-429 names one second, with nothing left of the minute, and then works', async () => {
  const { post } = await openSandbox();
  const refused = await post('/instances/209/restart');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  expect((await post('/instances/209/restart')).status).toBe(200);
});

test.each(['transitional', 'documented'] as const)(
  'gone-soon answers well and is gone (%s)',
  async (style) => {
    const { get, post } = await openSandbox({ style });
    expect((await post('/instances/210/restart')).status).toBe(200);
    expect((await get('/instances/210')).status).toBe(404);
  },
);

test('slow answers late about itself, and the list is as quick as ever', async () => {
  const { get, sandbox } = await openSandbox({ world: worldOf([sentinel('slow', 600_000)]) });
  const late = get('/instances/207').then(
    () => 'answered',
    () => 'cut',
  );
  expect((await get('/instances')).status).toBe(200);
  await sandbox.stop();
  expect(await late).toBe('cut');
});

test('two instances may share a name, and a name may be rude', async () => {
  const names = listOf(await (await openSandbox()).get('/instances')).map((each) => each['name']);
  expect(names.filter((each) => each === 'twins')).toHaveLength(2);
  expect(names).toContain('<!channel> *x* <http://evil|Pay>');
});
