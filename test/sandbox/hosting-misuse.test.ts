import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openSandbox } from './hosting-caller.ts';

test('each key has its own hundred requests a minute, told on every answer', async () => {
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

test('a request over the limit does nothing', async () => {
  const { post, sandbox } = await openSandbox({ rateLimit: 1 });
  await post('/instances/104/start');
  expect((await post('/instances/101/stop')).status).toBe(429);
  expect(sandbox.statusOf(101)).toBe('running');
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
  '0',
  '-1',
  '1.5',
  '1e2',
  'abc',
  '%zz',
  '%2e%2e',
  '0x65',
  '0101',
  '99999999999999999999',
  '101%00',
  ' ',
  '__proto__',
])('the id %s is not found, on every endpoint that takes one', async (id) => {
  const { call } = await openSandbox();
  for (const [method, path] of [
    ['GET', `/instances/${id}`],
    ['DELETE', `/instances/${id}`],
    ['POST', `/instances/${id}/stop`],
    ['DELETE', `/addons/${id}`],
  ] as const) {
    const answer = await call(method, `/api/v1${path}`);
    expect([answer.status, answer.json]).toMatchObject([404, { error: { code: 'not_found' } }]);
  }
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
