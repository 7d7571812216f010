import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { clientOf, faultOf, openAnswer, openCompany, openServer } from './calling.ts';

const world = worldOf([instance(1, 'web-1'), instance(2, 'web-2', { status: 'stopped' })]);
const record = { id: 1, name: 'web-1', status: 'running' };

describe('reads', () => {
  test.each([500, 502, 503, 504, 'reset'] as const)('are repeated after %s', async (answer) => {
    const { hosting, sandbox } = await openCompany({ world });
    sandbox.failNext({ method: 'GET' }, { answer, done: false }, 1);
    expect((await hosting.listInstances()).instances).toHaveLength(2);
    expect(sandbox.calls).toHaveLength(2);
  });

  test('are given up after a third try', async () => {
    const { hosting, sandbox } = await openCompany({ world });
    sandbox.failNext({ method: 'GET' }, { answer: 503, done: false }, 99);
    expect(await faultOf(hosting.findInstance('1'))).toMatchObject({ fault: 'unavailable' });
    expect(sandbox.calls).toHaveLength(3);
  });

  test.each([
    [400, 1],
    [401, 2],
    [402, 1],
    [403, 2],
    [409, 1],
    [422, 1],
    [423, 1],
  ])('are made no more often than a doubt of the key needs: after %i %i times', async (status, times) => {
    const { hosting, sandbox } = await openCompany({ world });
    sandbox.failNext({ method: 'GET' }, { answer: status, done: false }, 99);
    await faultOf(hosting.listInstances());
    expect(sandbox.calls).toHaveLength(times);
  });
});

describe('a write is sent exactly once', () => {
  const writes = [
    ['start', (hosting) => hosting.powerInstance('2', 'start')],
    ['stop', (hosting) => hosting.powerInstance('1', 'stop')],
    ['restart', (hosting) => hosting.powerInstance('1', 'restart')],
    ['delete', (hosting) => hosting.deleteInstance('1')],
    ['adding an add-on', (hosting) => hosting.addAddon('1', { type: 'llm' })],
    ['removing an add-on', (hosting) => hosting.removeAddon('9')],
  ] as const satisfies readonly [
    string,
    (hosting: Awaited<ReturnType<typeof openCompany>>['hosting']) => Promise<unknown>,
  ][];

  test.each(writes)('%s: whatever status it is answered with', async (_name, write) => {
    for (const status of [301, 307, 308, 400, 401, 404, 408, 409, 422, 425, 429, 500, 502, 503, 504, 599]) {
      const { hosting, sandbox } = await openCompany({ world });
      sandbox.failNext({}, { answer: status, done: false, retryAfterSeconds: 0 }, 99);
      const fault = await faultOf(write(hosting));
      expect(sandbox.calls, `${status}`).toHaveLength(1);
      const mayBeDone = status < 400 || status >= 500 || status === 408 || status === 425;
      expect(fault.outcome, `${status}`).toBe(mayBeDone ? 'unknown' : 'not-done');
    }
  });

  test.each(writes)('%s: when the answer is lost, and nobody knows then', async (_name, write) => {
    for (const done of [true, false]) {
      const { hosting, sandbox } = await openCompany({ world });
      sandbox.failNext({}, { answer: 'reset', done }, 99);
      expect(await faultOf(write(hosting))).toMatchObject({
        fault: 'no-answer',
        outcome: 'unknown',
        answered: false,
      });
      expect(sandbox.calls).toHaveLength(1);
    }
  });

  test('when the answer takes too long', async () => {
    // All at once, so that each can have long enough to arrive on a busy machine.
    await Promise.all(
      writes.map(async ([name, write]) => {
        const { url, seen } = await openServer(() => undefined);
        expect(await faultOf(write(clientOf(url, { timeoutMs: 1_000 }))), name).toMatchObject({
          fault: 'no-answer',
          outcome: 'unknown',
          answered: false,
        });
        expect(seen, name).toHaveLength(1);
      }),
    );
  });

  test.each(writes)('%s: and never over a connection that is refused', async (_name, write) => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    expect(await faultOf(write(clientOf(`http://127.0.0.1:${port}`)))).toMatchObject({
      fault: 'unreachable',
      outcome: 'not-done',
      retryable: true,
    });
  });

  test('even when it follows reads whose connection the service has closed meanwhile', async () => {
    const { url, seen } = await openServer((request, response) => {
      response.end(JSON.stringify({ data: request.method === 'GET' ? [record] : record }));
      if (request.method === 'GET') response.on('close', () => request.socket.resetAndDestroy());
    });
    const hosting = clientOf(url);
    for (let round = 0; round < 20; round++) {
      await hosting.listInstances();
      expect(await hosting.powerInstance('1', 'restart')).toEqual({ status: 'running' });
    }
    expect(seen.filter((call) => call.method === 'POST')).toHaveLength(20);
  });
});

test('a write has a connection of its own, and leaves that of the reads as it was', async () => {
  const ports: [string | undefined, number | undefined][] = [];
  const { url } = await openServer((request, response) => {
    ports.push([request.method, request.socket.remotePort]);
    response.end(JSON.stringify({ data: request.method === 'GET' ? [record] : record }));
  });
  const hosting = clientOf(url);
  await hosting.listInstances();
  await hosting.powerInstance('1', 'restart');
  await hosting.powerInstance('1', 'restart');
  const [, ...writes] = ports.map(([, port]) => port);
  expect(new Set([ports[0]?.[1], ...writes]).size).toBe(3);
});

describe('before a write leaves', () => {
  test('it is written down, and nothing has been sent until that has ended', async () => {
    const { hosting, sandbox } = await openCompany({ world });
    const steps: string[] = [];
    await hosting.powerInstance('1', 'stop', {
      beforeSend: async () => {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        steps.push(`written down, ${sandbox.calls.length} calls`);
      },
    });
    expect(steps).toEqual(['written down, 0 calls']);
    expect(sandbox.calls).toHaveLength(1);
  });

  test.each(['stop', 'delete'] as const)('a throw there means that no %s ever left', async (what) => {
    const { hosting, sandbox } = await openCompany({ world });
    const stop = new Error('too late');
    const beforeSend = (): Promise<void> => Promise.reject(stop);
    const call =
      what === 'stop'
        ? hosting.powerInstance('1', 'stop', { beforeSend })
        : hosting.deleteInstance('1', { beforeSend });
    await expect(call).rejects.toBe(stop);
    expect(sandbox.calls).toHaveLength(0);
    expect(sandbox.statusOf(1)).toBe('running');
  });

  test('an id that is none is refused before anything is written down', async () => {
    const { hosting, sandbox } = await openCompany({ world });
    let written = 0;
    const beforeSend = async (): Promise<void> => {
      written += 1;
    };
    for (const id of ['', '..', '.', 'a/b', 'a#b', 'a?b', '%2e%2e', 'a b', 'ä', '1\n', 'x'.repeat(129)]) {
      const ended = (async () => hosting.powerInstance(id, 'restart', { beforeSend }))();
      expect(await faultOf(ended), id).toMatchObject({ fault: 'not-found', outcome: 'not-done' });
    }
    expect([written, sandbox.calls.length]).toEqual([0, 0]);
  });
});

describe('an answer that cannot be true', () => {
  const reads = [
    ['listInstances', (url: string) => clientOf(url).listInstances()],
    ['findInstance', (url: string) => clientOf(url).findInstance('1')],
    ['getBalance', (url: string) => clientOf(url).getBalance()],
    ['getUsage', (url: string) => clientOf(url).getUsage()],
    ['listTransactions', (url: string) => clientOf(url).listTransactions(1, 10)],
    ['listAddons', (url: string) => clientOf(url).listAddons()],
  ] as const;
  const bodies = [
    ['an HTML page', '<html><body>Welcome</body></html>'],
    ['nothing', ''],
    ['truncated JSON', '{"data":[{"id":1,"name":"web-1","sta'],
    ['null', 'null'],
    ['a number', '42'],
    ['NaN', '{"data":NaN}'],
    ['an object with a prototype', '{"__proto__":{"data":[],"id":1,"name":"x","status":"running"}}'],
    ['records that are none', '{"data":[1,"two",null,[]]}'],
    ['a record of another type', '{"data":[{"id":{},"name":7,"status":["running"]}]}'],
    ['deep nesting', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
  ] as const;

  test.each(reads.flatMap(([name, read]) => bodies.map(([what, body]) => [name, what, read, body] as const)))(
    '%s: %s is unreadable, not a crash and not a fact',
    async (_name, _what, read, body) => {
      const { url, seen } = await openAnswer(200, body);
      expect(await faultOf(read(url))).toMatchObject({ fault: 'unreadable', retryable: false });
      expect(seen).toHaveLength(1);
      expect(Object.prototype).not.toHaveProperty('data');
    },
  );

  test.each(['findInstance', 'getBalance'])('%s: data that is null is no record', async (name) => {
    const { url } = await openAnswer(200, '{"data":null}');
    const read = new Map<string, (url: string) => Promise<unknown>>(reads).get(name)!;
    expect(await faultOf(read(url))).toMatchObject({ fault: 'unreadable' });
  });

  test.each([
    ['an HTML page', '<html></html>'],
    ['truncated JSON', '{"data":{"id":1,"na'],
  ])('to a write: %s leaves it open whether it was done', async (_what, body) => {
    const { url, seen } = await openAnswer(200, body);
    expect(await faultOf(clientOf(url).powerInstance('1', 'restart'))).toMatchObject({
      fault: 'unreadable',
      outcome: 'unknown',
      retryable: false,
    });
    expect(seen).toHaveLength(1);
  });

  test('another instance than the one asked for is not taken for it', async () => {
    const { url } = await openAnswer(200, JSON.stringify({ data: { ...record, id: 2 } }));
    expect(await faultOf(clientOf(url).findInstance('1'))).toMatchObject({ fault: 'unreadable' });
  });

  test.each(['1e400', '"1e400"', '"1,000"', 'null'])(
    'a balance of %s is no balance, and never a zero',
    async (amount) => {
      const { url } = await openAnswer(200, `{"data":{"claws_balance":${amount}}}`);
      expect(await faultOf(clientOf(url).getBalance())).toMatchObject({ fault: 'unreadable' });
    },
  );

  test('a power answer with any JSON at all never throws anything but a HostingError', async () => {
    let body = '';
    const { url } = await openServer((_request, response) => response.end(body));
    const hosting = clientOf(url);
    await fc.assert(
      fc.asyncProperty(fc.json(), async (json) => {
        body = json;
        const ended: unknown = await hosting.powerInstance('1', 'stop').catch((error: unknown) => error);
        if (ended instanceof Error) expect(ended).toBeInstanceOf(HostingError);
        else expect(ended).toBeTypeOf('object');
      }),
      { numRuns: 150 },
    );
  });
});

test('pages without an end are cut, and the list says so', async () => {
  let page = 0;
  const { url, seen } = await openServer((_request, response) => {
    page += 1;
    response.end(JSON.stringify({ data: [{ ...record, id: page }], meta: { next_cursor: `c${page}` } }));
  });
  const { instances, incomplete } = await clientOf(url).listInstances();
  expect([instances.length, incomplete?.isCertain, seen.length]).toEqual([100, true, 100]);
});

test('closing ends a call that is under way', async () => {
  const { url } = await openServer(() => undefined);
  const hosting = clientOf(url);
  const call = faultOf(hosting.listInstances());
  await hosting.close();
  expect(await call).toMatchObject({ fault: 'no-answer' });
});
