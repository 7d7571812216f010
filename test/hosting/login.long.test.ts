import { describe, expect, test } from 'vitest';
import { clientOf } from '../../sandbox/adapter-check/client.ts';
import { keyInHeader } from '../../src/platform/hosting/auth.ts';
import type { Adapter, ListRead } from '../../src/platform/hosting/adapter.ts';
import { checkedAdapter } from '../../src/platform/hosting/adapter-shape.ts';
import { createCredentials, type Credentials } from '../../src/platform/hosting/credentials.ts';
import { createRequester } from '../../src/platform/hosting/request.ts';
import { direct } from '../../src/platform/http/way-out.ts';
import { adapter as tokenCloud } from '../clouds/outside/token-cloud.ts';
import { KEY, openTokenCloud } from '../clouds/outside/token-cloud-double.ts';
import type { Instance } from '../../src/platform/hosting/service.ts';
import { faultOf, openBudget, openServer } from './calling.ts';

const SECRET = KEY.split(':')[1]!;

/** A client of the token cloud whose login answers so. */
async function withLogin(login: { status: number; body: unknown }, adapter: Adapter = tokenCloud) {
  const cloud = await openTokenCloud();
  cloud.login = login;
  const { url } = cloud;
  const loginUrl = `${url}/oauth/token`;
  return { cloud, hosting: clientOf({ adapter, url, loginUrl, token: KEY, patienceMs: 1_000 }, url, KEY) };
}

describe('what a login answers', () => {
  test.each([
    [404, { error: 'Not Found', status: 404 }, 'unavailable'],
    [410, { error: 'gone' }, 'unavailable'],
    [501, { error: 'not implemented' }, 'unavailable'],
    [503, { error: 'down' }, 'unavailable'],
    [302, '', 'unavailable'],
    [403, '<html><title>Blocked</title></html>', 'unavailable'],
    [429, { error: 'slow down' }, 'rate-limited'],
    [400, { error: 'invalid_client' }, 'unauthorized'],
    [401, { error: 'invalid_client' }, 'unauthorized'],
    [401, { problem: { text: 'No such client' } }, 'unauthorized'],
    [403, { status: 'denied' }, 'unauthorized'],
    [401, '<html>Sign in</html>', 'unavailable'],
  ])('with %i %j is nothing that is said of an instance: %s', async (status, body, fault) => {
    const { cloud, hosting } = await withLogin({ status, body });
    expect(await faultOf(hosting.findInstance('vm-a'))).toMatchObject({ fault, outcome: 'not-done' });
    expect(await faultOf(hosting.powerInstance('vm-a', 'stop'))).toMatchObject({
      fault,
      outcome: 'not-done',
    });
    expect(cloud.calls.filter(({ url }) => url.pathname !== '/oauth/token')).toEqual([]);
    await hosting.close();
  });

  test.each([
    ['no token', {}],
    ['an empty token', { access_token: '', expires_in: 60 }],
    ['a token that fits into no header', { access_token: 'token\r\nx-evil: 1', expires_in: 60 }],
    ['no life', { access_token: 'a-token-of-ours' }],
    ['a life of nothing', { access_token: 'a-token-of-ours', expires_in: 0 }],
  ])('that has %s can not be used', async (_what, body) => {
    const { cloud, hosting } = await withLogin({ status: 200, body });
    expect(await faultOf(hosting.findInstance('vm-a'))).toMatchObject({
      fault: 'unreadable',
      outcome: 'not-done',
    });
    expect(cloud.exchanges()).toBe(1);
    await hosting.close();
  });

  test('never shows the secret, whatever is thrown about it', async () => {
    const throwing: Adapter = {
      ...tokenCloud,
      auth: {
        headers: keyInHeader('X-Session', '').headers,
        session: (key) => {
          throw new Error(`no use for ${key}`);
        },
      },
    };
    const { hosting } = await withLogin({ status: 200, body: {} }, throwing);
    const fault = await faultOf(hosting.findInstance('vm-a'));
    expect(fault).toMatchObject({ fault: 'not-built', outcome: 'not-done' });
    expect(`${fault.stack} ${fault.said} ${String(fault.cause)}`).not.toContain(SECRET);
    await hosting.close();
  });
});

describe('a token that the service no longer takes', () => {
  /** Shows tokens one after another, and counts those that were refused. */
  function tokens(): Credentials & { refusals: number } {
    let nth = 1;
    const credentials = {
      refusals: 0,
      take: async () => {
        const token = `token-${nth}`;
        const session = { token, openedAt: 0, endsAt: 1 };
        return {
          session,
          pathOf: (path: string) => path,
          headersOf: () => ({ 'x-session': token }),
        };
      },
      refused: () => {
        credentials.refusals += 1;
        nth += 1;
        return true;
      },
      redact: (text: string) => text,
    };
    return credentials;
  }

  test.each(['', '<html>Unauthorized</html>', '{"error":"ended"}'])(
    'is exchanged again, in whichever form that is said: %j',
    async (said) => {
      const { url, seen } = await openServer((request, response) => {
        const isNew = request.headers['x-session'] === 'token-2';
        response
          .writeHead(isNew ? 200 : 401, { 'content-type': 'application/json' })
          .end(isNew ? '{}' : said);
      });
      const credentials = tokens();
      const requester = createRequester({
        origin: url,
        wayOut: direct,
        credentials,
        budget: openBudget(),
        timeoutMs: 1_000,
        redact: (text) => text,
      });
      expect((await requester.read({ doing: 'reading', path: '/' })).status).toBe(200);
      expect([seen.length, credentials.refusals]).toEqual([2, 1]);
      await requester.close();
    },
  );
});

test("an adapter's own header stands in place of the client's, however it is written, and is seen by its signature", async () => {
  const { url, seen } = await openServer((_, response) => void response.writeHead(204).end());
  const signed: string[] = [];
  const requester = createRequester({
    origin: url,
    wayOut: direct,
    credentials: createCredentials({
      auth: {
        headers: (_key, { headers }) => {
          signed.push(headers['content-type'] ?? 'none');
          return { 'X-Signed': 'yes' };
        },
      },
      key: 'a-key',
    }),
    budget: openBudget(),
    timeoutMs: 1_000,
    redact: (text) => text,
  });
  const headers = { 'Content-Type': 'application/x-own+json' };
  await requester.write({ doing: 'writing', method: 'POST', path: '/', headers, body: {} });
  expect([seen[0]?.headers['content-type'], signed]).toEqual([
    'application/x-own+json',
    ['application/x-own+json'],
  ]);
  expect(seen[0]?.rawHeaders.filter((name) => /^content-type$/i.test(name))).toHaveLength(1);
  await requester.close();
});

test('a key of which no part can be read for a path is said not to be built, and nothing leaves', async () => {
  const credentials = createCredentials({
    auth: {
      headers: () => ({}),
      inPath: () => {
        throw new TypeError('a bug of the adapter');
      },
    },
    key: 'a-key',
  });
  expect(await faultOf(credentials.take('reading'))).toMatchObject({
    fault: 'not-built',
    outcome: 'not-done',
  });
});

describe('an adapter from outside that gives what nobody expects', () => {
  const changed = (list: Partial<ListRead<Instance>>): Adapter => {
    const { instances } = tokenCloud;
    if (!('path' in instances.list)) throw new Error('the token cloud has one list');
    return checkedAdapter({
      ...tokenCloud,
      instances: { ...instances, list: { ...instances.list, ...list } },
    });
  };
  const promise = (): never => Promise.reject(new Error('nobody waits for this')) as never;

  test.each([
    ['no record of any instance', { item: () => undefined as never }],
    ['instances without what each has', { item: () => ({ id: 'a' }) as never }],
    ['a promise in place of an instance', { item: promise }],
    ['a promise in place of a page', { items: promise }],
  ])('%s: the list can not be read, and nothing else happens', async (_what, list) => {
    const cloud = await openTokenCloud();
    const { url } = cloud;
    const given = {
      adapter: changed(list),
      url,
      loginUrl: `${url}/oauth/token`,
      token: KEY,
      patienceMs: 1_000,
    };
    const hosting = clientOf(given, url, KEY);
    expect(await faultOf(hosting.listInstances())).toMatchObject({ fault: 'unreadable' });
    await hosting.close();
  });
});
