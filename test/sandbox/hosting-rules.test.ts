import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { statuses } from '../../sandbox/hosting/status.ts';
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

test('each key has its own hundred requests a minute, stated on every answer', async () => {
  const { get, call, clock } = await openSandbox({ rateLimit: 100 });
  const first = await get('/instances');
  expect(first.headers.get('x-ratelimit-limit')).toBe('100');
  expect(first.headers.get('x-ratelimit-remaining')).toBe('99');
  expect(first.headers.get('x-ratelimit-reset')).toBe(String(clock.now() / 1000 + 60));
  for (let each = 2; each <= 100; each += 1) expect((await get('/no-such-path')).status).toBe(404);
  clock.advance(48_000);
  const refused = await get('/instances');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('12');
  const inland = { headers: { authorization: 'Bearer oc_live_demo_inland' } };
  expect((await call('GET', '/api/v1/instances', inland)).status).toBe(200);
  clock.advance(12_000);
  expect((await get('/instances')).headers.get('x-ratelimit-remaining')).toBe('99');
});

test.each([
  ['none', {}],
  ['an unknown key', { authorization: 'Bearer oc_live_demo_nobody' }],
  ['an empty key', { authorization: 'Bearer ' }],
  ['another scheme', { authorization: 'Basic oc_live_demo_harbour' }],
  ['the bare key', { authorization: 'oc_live_demo_harbour' }],
  ['the key in another header', { 'x-api-key': 'oc_live_demo_harbour' }],
])('without the right key (%s) everything is 401', async (_what, headers) => {
  const { url } = await openSandbox();
  const answer = await fetch(`${url}/api/v1/instances`, { headers });
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ error: { code: 'unauthorized' } });
});

test.each([
  ['GET', '/'],
  ['GET', '/api/v1'],
  ['GET', '/api/v1/instances/'],
  ['GET', '/api/v1/api/v1/instances'],
  ['GET', '/api/v2/instances'],
  ['GET', '//api/v1/instances'],
  ['PUT', '/api/v1/instances/101'],
  ['POST', '/api/v1/instances/101/explode'],
  ['GET', '/api/v1/instances/101/stop'],
])('%s %s is no operation, and answers 404 with an error object', async (method, path) => {
  const { call } = await openSandbox();
  expect(await call(method, path)).toMatchObject({ status: 404, json: { error: { code: 'not_found' } } });
});

test.each([
  ['cut-off JSON', '{"addon_type":', 'is not JSON'],
  ['no JSON', 'addon_type=llm', 'is not JSON'],
  ['no UTF-8', Buffer.from([0xff, 0xfe, 0x00]), 'is not JSON'],
  ['more than 16 KiB', `{"addon_type":"${'x'.repeat(20_000)}"}`, 'is too large'],
  ['more than a megabyte', 'x'.repeat(3_000_000), 'is too large'],
])('a body that is %s is refused in the documented shape', async (_what, body, why) => {
  const { call, get } = await openSandbox();
  const refused = await call('POST', '/api/v1/instances/101/addons', { body });
  expect(refused).toMatchObject({ status: 422, json: { error: { details: { body: why } } } });
  expect((await get('/instances')).status).toBe(200);
});

test('what isn’t HTTP is refused with an error object', async () => {
  const { url } = await openSandbox();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('hello\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 [^]*"code":"bad_request"/);
});
