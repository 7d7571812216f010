import { expect, test } from 'vitest';
import { dataOf, openSandbox } from './hosting-caller.ts';

test('calls are recorded with whose key it was and never with the key', async () => {
  const { get, call, sandbox, clock } = await openSandbox();
  await get('/instances?x=1');
  await call('GET', '/api/v1/instances/101', { headers: { authorization: 'Bearer oc_live_secret' } });
  expect(sandbox.calls).toEqual([
    {
      method: 'GET',
      path: '/api/v1/instances',
      query: 'x=1',
      at: clock.now(),
      keyName: 'harbour',
      status: 200,
      hadEffect: false,
    },
    {
      method: 'GET',
      path: '/api/v1/instances/101',
      query: '',
      at: clock.now(),
      keyName: null,
      status: 401,
      hadEffect: false,
    },
  ]);
  expect(JSON.stringify(sandbox.calls)).not.toContain('oc_live');
  expect(sandbox.countCalls('GET', /\/instances/g)).toBe(2);
  expect(sandbox.countCalls('GET', '/api/v1/instances')).toBe(1);
});

test('a request held before its effect has none until it is released', async () => {
  const { post, sandbox } = await openSandbox();
  const hold = sandbox.hold({ method: 'POST', path: /\/101\/stop$/ });
  const answer = post('/instances/101/stop');
  expect((await hold.arrived).status).toBe('pending');
  expect(sandbox.statusOf(101)).toBe('running');
  hold.release();
  expect((await answer).status).toBe(200);
  expect((await post('/instances/102/stop')).status).toBe(200);
});

test.each([
  ['before', 'running'],
  ['after', 'stopping'],
] as const)('a request held %s its effect and dropped leaves the instance %s', async (point, status) => {
  const { post, sandbox } = await openSandbox();
  const hold = sandbox.hold({ path: '/api/v1/instances/101/stop' }, point);
  const answer = expect(post('/instances/101/stop')).rejects.toThrow('fetch failed');
  await hold.arrived;
  hold.drop();
  await answer;
  expect(sandbox.statusOf(101)).toBe(status);
});

test('the next matching request fails, as often as was said, and others don’t', async () => {
  const { get, post, sandbox } = await openSandbox();
  sandbox.failNext({ method: 'GET', path: /instances$/ }, 500, 2);
  expect((await get('/instances/101')).status).toBe(200);
  expect((await get('/instances')).status).toBe(500);
  expect((await get('/instances')).status).toBe(500);
  expect((await get('/instances')).status).toBe(200);

  sandbox.failNext({ method: 'POST' }, { answer: 502, done: true, errors: 'html' });
  const lost = await post('/instances/101/stop');
  expect([lost.status, lost.headers.get('content-type')]).toEqual([502, 'text/html']);
  expect(sandbox.statusOf(101)).toBe('stopping');
});

test('a stopped sandbox refuses connections, and starts again where it was, in the state it had', async () => {
  const { get, post, sandbox, url } = await openSandbox();
  await post('/instances/101/stop');
  await sandbox.stop();
  await expect(get('/instances')).rejects.toThrow('fetch failed');
  expect((await sandbox.start()).url).toBe(url);
  expect(dataOf(await get('/instances/101'))['status']).toBe('stopping');
});

test('stopping lets nobody wait at a hold', async () => {
  const { get, sandbox } = await openSandbox();
  const hold = sandbox.hold({});
  const answer = expect(get('/instances')).rejects.toThrow('fetch failed');
  const call = await hold.arrived;
  const heard = new Promise((resolve) => sandbox.events.once('call', resolve));
  await sandbox.stop();
  await answer;
  expect(await heard).toBe(call);
  expect(call.status).toBe('reset');
});

test('a deletion fails as other changes do where the instance is one that does', async () => {
  const { remove, sandbox } = await openSandbox();
  for (const id of [203, 204]) await expect(remove(`/instances/${id}`)).rejects.toThrow('fetch failed');
  const heard: number[] = [];
  for (const id of [205, 206, 209]) {
    for (const _ of ['first', 'again']) heard.push((await remove(`/instances/${id}`)).status);
  }
  expect(heard).toEqual([503, 200, 503, 503, 429, 200]);
  expect([203, 204, 205, 206, 209].map((id) => sandbox.statusOf(id))).toEqual([
    'deleting',
    'running',
    'deleting',
    'running',
    'deleting',
  ]);
});

test.each([
  ['loses-answers', 203, true],
  ['loses-requests', 204, false],
])('%s loses what is asked about its add-ons', async (_, id, isDone) => {
  const { post, remove, sandbox } = await openSandbox();
  const there = sandbox.addAddon(id, 'storage', 'large');
  await expect(post(`/instances/${id}/addons`, { addon_type: 'llm' })).rejects.toThrow('fetch failed');
  await expect(remove(`/addons/${there}`)).rejects.toThrow('fetch failed');
  expect(sandbox.calls.map(({ status, hadEffect }) => [status, hadEffect])).toEqual([
    ['reset', isDone],
    ['reset', isDone],
  ]);
  expect(sandbox.addonsOf(id).map((each) => [each.addon_type, each.status])).toEqual(
    isDone
      ? [
          ['storage', 'canceled'],
          ['llm', 'active'],
        ]
      : [['storage', 'active']],
  );
});
