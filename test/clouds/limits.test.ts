import { expect, onTestFinished, test } from 'vitest';
import { openCloud } from '../../sandbox/clouds/demo-fleet.ts';
import { kindOf, openTest } from './calling.ts';

test('DigitalOcean: a request counts for an hour of its own, and the reset is when the oldest ends', async () => {
  const opened = await openTest({ kind: 'digitalocean', rateLimit: 2 });
  const { get, advance, now } = opened;
  const ask = async () => {
    const { status, headers } = await get('/v2/droplets');
    return [
      status,
      headers.get('ratelimit-limit'),
      headers.get('ratelimit-remaining'),
      headers.get('ratelimit-reset'),
    ];
  };
  const firstLapses = `${(now() + 3_600_000) / 1_000}`;
  expect(await ask()).toEqual([200, '2', '1', firstLapses]);
  advance(600_000);
  const secondLapses = `${(now() + 3_600_000) / 1_000}`;
  expect(await ask()).toEqual([200, '2', '0', firstLapses]);
  expect(await ask()).toEqual([429, '2', '0', firstLapses]);
  expect((await get('/v2/droplets')).headers.get('retry-after')).toBeNull();
  advance(2_999_999);
  expect((await ask())[0]).toBe(429);
  advance(1);
  expect(await ask()).toEqual([200, '2', '0', secondLapses]);
});

test('DigitalOcean: the limit of the minute says how long to wait', async () => {
  const { get, advance } = await openTest({ kind: 'digitalocean', minuteLimit: 1 });
  expect((await get('/v2/droplets')).status).toBe(200);
  advance(15_000);
  const refused = await get('/v2/droplets');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '45']);
  expect(refused.json).toMatchObject({ id: 'too_many_requests' });
  advance(45_000);
  expect((await get('/v2/droplets')).status).toBe(200);
});

test('Hetzner: the bucket gets one request back a second, and the reset is when it is full', async () => {
  const { get, advance, now } = await openTest({ kind: 'hetzner', rateLimit: 3 });
  const ask = async () => {
    const { status, headers } = await get('/v1/servers');
    const seconds = Number(headers.get('ratelimit-reset')) - now() / 1_000;
    return [status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining'), seconds];
  };
  expect(await ask()).toEqual([200, '3', '2', 1]);
  expect(await ask()).toEqual([200, '3', '1', 2]);
  expect(await ask()).toEqual([200, '3', '0', 3]);
  expect(await ask()).toEqual([429, '3', '0', 3]);
  const refused = await get('/v1/servers');
  expect(refused.headers.get('retry-after')).toBeNull();
  expect(refused.json).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
  advance(1_000);
  expect(await ask()).toEqual([200, '3', '0', 3]);
  advance(60_000);
  expect(await ask()).toEqual([200, '3', '2', 1]);
});

test('Vultr: thirty a second from one address, whatever the key, and no header says what is left', async () => {
  const { get, call, advance } = await openTest({ kind: 'vultr', rateLimit: 2 });
  const fine = await get('/v2/instances');
  expect([...fine.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
  await call('GET', '/v2/instances', undefined, { headers: { authorization: 'Bearer other' } });
  const refused = await get('/v2/instances');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(refused.json).toEqual({ error: 'Rate limit exceeded', status: 429 });
  advance(1_000);
  expect((await get('/v2/instances')).status).toBe(200);
});

test.each([
  ['digitalocean', 250],
  ['vultr', 30],
] as const)('%s takes %i requests in a moment when nothing else is said, and no more', async (kind, most) => {
  const cloud = openCloud(kind, { now: () => 0 });
  const { url } = await cloud.start();
  onTestFinished(() => cloud.stop());
  const headers = { authorization: `Bearer ${cloud.token}` };
  const ask = async () => (await fetch(`${url}${kindOf(kind).list}?per_page=1`, { headers })).status;
  const statuses = await Promise.all(Array.from({ length: most + 1 }, ask));
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

test('Hetzner takes 3,600 requests in a moment when nothing else is said', async () => {
  const cloud = openCloud('hetzner', { now: () => 0 });
  const { url } = await cloud.start();
  onTestFinished(() => cloud.stop());
  const response = await fetch(`${url}/v1/servers`, { headers: { authorization: `Bearer ${cloud.token}` } });
  expect(response.headers.get('ratelimit-remaining')).toBe('3599');
});

test('calls with a wrong key take nothing from the budget of a token', async () => {
  for (const kind of ['digitalocean', 'hetzner'] as const) {
    const { get, call, list } = await openTest({ kind, rateLimit: 2 });
    const stranger = await call('GET', list, undefined, { headers: { authorization: 'Bearer other' } });
    expect(stranger.headers.get('ratelimit-remaining')).toBeNull();
    expect((await get(list)).headers.get('ratelimit-remaining')).toBe('1');
  }
});
