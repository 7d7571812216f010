import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO } from '../../sandbox/demo.ts';
import { openWeb, type WebSandbox } from '../../sandbox/web/open-web.ts';
import { FAST } from '../support/sandbox.ts';
import { takeDatabase } from '../support/shared-redis.ts';

let web: WebSandbox;
let cookie = '';
let release: () => void;
beforeAll(async () => {
  const database = await takeDatabase();
  ({ release } = database);
  web = await openWeb({ ...DEMO, timings: { ...FAST, ...DEMO.timings }, redisUrl: database.url }, 0);
  const page = await ask('/', {});
  cookie = page.cookie.split(';')[0] ?? '';
}, 120_000);
afterAll(async () => {
  await web?.close();
  release?.();
});

interface Answer {
  readonly status: number;
  readonly cookie: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Asks with these headers and no others, as no browser would let a page do. */
function ask(path: string, headers: Record<string, string>, body?: object, method?: string): Promise<Answer> {
  const { port } = new URL(web.url);
  const to = {
    agent: false,
    host: '127.0.0.1',
    port,
    path,
    method: method ?? (body ? 'POST' : 'GET'),
    headers,
  };
  return new Promise((resolve, reject) => {
    const call = request(to, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          cookie: response.headers['set-cookie']?.[0] ?? '',
          headers: response.headers,
          body: Buffer.concat(parts).toString(),
        }),
      );
    });
    call.on('error', reject);
    call.end(body && JSON.stringify(body));
  });
}

const TYPED = { do: 'type', where: '#ops', text: 'hello' };
const own = (): Record<string, string> => ({
  host: new URL(web.url).host,
  origin: new URL(web.url).origin,
  cookie,
  'content-type': 'application/json',
});

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
}

const said = (): number =>
  web.sandbox.slack.channel('#ops').messages.filter(({ text }) => text === 'hello').length;

test('the page itself may act', async () => {
  const before = said();
  expect(await ask('/api/act?as=ana', own(), TYPED)).toMatchObject({ status: 200, body: '{}' });
  expect(said()).toBe(before + 1);
});

describe('refused, and nothing done:', () => {
  test.each<[string, (headers: Record<string, string>) => Record<string, string>]>([
    ['a page of another origin', (one) => ({ ...one, origin: 'http://evil.example' })],
    ['a page at another port of this machine', (one) => ({ ...one, origin: 'http://127.0.0.1:1' })],
    ['a page without an origin of its own', (one) => ({ ...one, origin: 'null' })],
    [
      'a name that leads to this machine',
      (one) => ({ ...one, host: `evil.example:${new URL(web.url).port}` }),
    ],
    [
      'a name that leads to this machine and its own origin',
      (one) => ({ ...one, host: 'evil.example', origin: 'http://evil.example' }),
    ],
    [
      'a request that a page of another site had the browser send',
      (one) => ({ ...one, 'sec-fetch-site': 'cross-site' }),
    ],
    ['a request of another port of this machine', (one) => ({ ...one, 'sec-fetch-site': 'same-site' })],
    ['somebody without the cookie', (one) => without(one, 'cookie')],
    ['somebody with a cookie that is wrong', (one) => ({ ...one, cookie: `${cookie.slice(0, -1)}!` })],
    ['a request that says no origin', (one) => without(one, 'origin')],
  ])('%s', async (_who, change) => {
    const before = said();
    expect((await ask('/api/act?as=ana', change(own()), TYPED)).status).toBe(403);
    expect(said()).toBe(before);
  });

  test('a form, which a browser sends anywhere unasked', async () => {
    const headers = { ...own(), 'content-type': 'text/plain' };
    expect((await ask('/api/act?as=ana', headers, TYPED)).status).toBe(400);
  });

  test.each(['/api/events?as=ana', '/api/files/F1?as=ana'])('reading %s without the cookie', async (path) => {
    expect((await ask(path, { host: new URL(web.url).host })).status).toBe(403);
  });

  test('the page under another name, so that nobody else is given the cookie', async () => {
    const answer = await ask('/', { host: 'evil.example' });
    expect(answer).toMatchObject({ status: 403, cookie: '' });
  });

  test('an act that there is not, and a path that leads out of the page', async () => {
    expect((await ask('/api/act?as=ana', own(), { do: 'format' })).status).toBe(400);
    expect((await ask('/../package.json', own())).status).toBe(404);
    expect((await ask('/', own(), TYPED, 'DELETE')).status).toBe(404);
  });
});

test('the cookie is kept from other sites and from scripts', async () => {
  expect((await ask('/', { host: new URL(web.url).host })).cookie).toMatch(
    /; Path=\/; HttpOnly; SameSite=Strict$/,
  );
});

test('the page may load from its own server alone, and stand in no other page', async () => {
  const { headers } = await ask('/', { host: new URL(web.url).host });
  expect(headers['content-security-policy']).toMatch(/^default-src 'self';.*frame-ancestors 'none'/);
});

test('nothing listens but on the loopback', async () => {
  const port = Number(new URL(web.url).port);
  const others = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  const reached = await Promise.all(others.map(({ address }) => reaches(address, port)));
  expect(reached.filter(Boolean)).toEqual([]);
  expect(await reaches('127.0.0.1', port)).toBe(true);
});

function reaches(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('timeout', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(false));
  });
}

test('a person sees no file and no channel that is not before them', async () => {
  const { slack } = web.sandbox;
  const admin = slack.person('admin');
  await admin.types('#ops', '/billing transactions --csv');
  const file = await slack.until(() => admin.dms.flatMap(({ files }) => files)[0]);
  const path = (who: string): string => `/api/files/${file.id}?as=${who}`;
  expect((await ask(path('bob'), own())).status).toBe(404);
  const mine = await ask(path('admin'), own());
  expect(mine.status).toBe(200);
  expect(mine.headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+\.csv"$/);
  expect(mine.body).toContain('daily_charge');
});

test('the page loads below 300 kB compressed', () => {
  expect(web.compressedBytes).toBeLessThan(300_000);
  expect(web.compressedBytes).toBeGreaterThan(5_000);
});
