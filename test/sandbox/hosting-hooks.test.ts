import { expect, test } from 'vitest';
import { createHostingSandbox } from '../../sandbox/hosting/sandbox.ts';
import { customer, instance, worldOf } from '../../sandbox/world.ts';
import { dataOf, listOf, openSandbox } from './hosting-caller.ts';

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

test('a caller who gives up on a held request doesn’t undo it', async () => {
  const { call, sandbox } = await openSandbox();
  const hold = sandbox.hold({ method: 'POST' });
  const patience = new AbortController();
  const answer = expect(
    call('POST', '/api/v1/instances/101/stop', { signal: patience.signal }),
  ).rejects.toThrow('aborted');
  await hold.arrived;
  patience.abort();
  await answer;
  const noticed = new Promise((resolve) => sandbox.events.once('status', resolve));
  hold.release();
  expect(await noticed).toMatchObject({ instanceId: 101, from: 'running', to: 'stopping' });
});

test('a hold that is released before anything arrived is called off', async () => {
  const { get, sandbox } = await openSandbox();
  sandbox.hold({ method: 'GET' }).release();
  expect((await get('/instances')).status).toBe(200);
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

test('somebody else can add, change and remove instances behind the caller’s back', async () => {
  const { get, post, clock, sandbox } = await openSandbox({ world: worldOf([instance(1, 'web-1')]) });
  sandbox.addInstance('harbour', instance(2, 'new', { status: 'stopped' }));
  expect(listOf(await get('/instances')).map((each) => each['name'])).toEqual(['web-1', 'new']);
  await post('/instances/2/start');
  sandbox.changeStatus(2, 'error');
  clock.advance(60_000);
  expect(dataOf(await get('/instances/2'))['status']).toBe('error');
  sandbox.removeInstance(2);
  expect((await get('/instances/2')).status).toBe(404);
  expect(sandbox.statusOf(2)).toBe('gone');
});

test('a behaviour can be given later, and its faults count from then', async () => {
  const { post, sandbox } = await openSandbox();
  for (const _ of ['first', 'again']) {
    sandbox.setBehaviour(101, { fault: { on: ['restart'], times: 1, answer: 503, done: false } });
    expect((await post('/instances/101/restart')).status).toBe(503);
  }
  expect((await post('/instances/101/restart')).status).toBe(200);
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
  const told = new Promise((resolve) => sandbox.events.once('call', resolve));
  await sandbox.stop();
  await answer;
  expect(await told).toBe(call);
  expect(call.status).toBe('reset');
});

test('a world that uses an id or a key twice is refused, and the key isn’t repeated', () => {
  expect(() => createHostingSandbox({ world: worldOf([instance(1, 'a'), instance(1, 'b')]) })).toThrow(
    'the instance id 1 is used twice',
  );
  const twice = { customers: [customer('a', { apiKey: 'k' }), customer('b', { apiKey: 'k' })] };
  expect(() => createHostingSandbox({ world: twice })).toThrow('the key of b is used twice');
});
