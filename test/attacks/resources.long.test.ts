import { channel as diagnostics } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clientOf, faultOf, openServer } from '../hosting/calling.ts';
import { growthOf, watchForCrashes } from './watching.ts';

const MIB = 1024 * 1024;
const record = (id: number) => ({ id, name: `web-${id}`, status: 'running' });
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** Writes a chunk again and again, as fast as it is taken. Gives how often it was. */
function pour(response: ServerResponse, chunk: Buffer, times: number): () => number {
  let poured = 0;
  const more = (): void => {
    while (poured < times && !response.destroyed) {
      poured += 1;
      if (!response.write(chunk)) return void response.once('drain', more);
    }
    response.end();
  };
  more();
  return () => poured;
}

/** The origins that anything in this process has sent an HTTP request to while the test runs. */
function watchOrigins(): ReadonlySet<string> {
  const origins = new Set<string>();
  const note = (message: unknown): void => {
    const { request } = message as { request: { origin: string } }; // undici's own shape of this channel
    origins.add(request.origin);
  };
  const created = diagnostics('undici:request:create');
  created.subscribe(note);
  onTestFinished(() => {
    created.unsubscribe(note);
  });
  return origins;
}

describe('an answer that is too much is cut, and little of it is held:', () => {
  test('400 MiB', async () => {
    const chunk = Buffer.alloc(MIB, '[');
    const counts: (() => number)[] = [];
    const { url } = await openServer((_request, response) => counts.push(pour(response, chunk, 400)));
    const hosting = clientOf(url);
    const { worst, after } = await growthOf(async () => {
      expect(await faultOf(hosting.powerInstance('1', 'stop'))).toMatchObject({
        fault: 'no-answer',
        outcome: 'unknown',
      });
      expect(await faultOf(hosting.listInstances())).toMatchObject({ fault: 'no-answer' });
    });
    for (const poured of counts) expect(poured()).toBeLessThan(40);
    expect(worst).toBeLessThan(60);
    expect(after).toBeLessThan(30);
  });

  test('400 MiB of an error', async () => {
    const chunk = Buffer.alloc(MIB, 'x');
    const { url } = await openServer((_request, response) => {
      response.writeHead(422, { 'content-type': 'application/json' });
      pour(response, chunk, 400);
    });
    const { worst, after } = await growthOf(async () => {
      expect((await faultOf(clientOf(url).powerInstance('1', 'stop'))).outcome).toBe('unknown');
    });
    expect(worst).toBeLessThan(60);
    expect(after).toBeLessThan(30);
  });

  test.each([200, 503])('300 KiB that unpack to 300 MiB, with status %i', async (status) => {
    const crashes = watchForCrashes();
    const member = gzipSync(Buffer.alloc(MIB, ' '));
    const bomb = Buffer.concat(Array.from({ length: 300 }, () => member));
    expect(bomb.length).toBeLessThan(400 * 1024);
    const { url } = await openServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(bomb);
    });
    const { worst } = await growthOf(async () => {
      expect((await faultOf(clientOf(url).powerInstance('1', 'stop'))).outcome).toBe('unknown');
    });
    expect(worst).toBeLessThan(20);
    expect(crashes).toEqual([]);
  });

  test('a byte every 200 ms, for reading and for writing, in headers and in the body', async () => {
    const { url } = await openServer((request, response) => {
      const { socket } = request;
      const inHeaders = request.url?.endsWith('/2') ?? false;
      socket.write(inHeaders ? 'HTTP/1.1 200 OK\r\n' : 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n');
      const drip = setInterval(() => socket.write(inHeaders ? 'x' : ' '), 200);
      response.on('close', () => clearInterval(drip));
    });
    const hosting = clientOf(url, { timeoutMs: 700 });
    const faults = [
      hosting.listInstances(),
      hosting.findInstance('2'),
      hosting.powerInstance('1', 'restart'),
    ].map(faultOf);
    for (const fault of await Promise.all(faults))
      expect(fault).toMatchObject({ fault: 'no-answer', outcome: 'unknown' });
  });

  test('pages without an end, each of two hundred', async () => {
    let page = 0;
    const { url, seen } = await openServer((_request, response) => {
      page += 1;
      const data = Array.from({ length: 200 }, (_, index) => record(page * 1_000 + index));
      response.end(JSON.stringify({ data, meta: { next_cursor: `c${page}` } }));
    });
    const { worst } = await growthOf(async () => {
      const { instances, incomplete } = await clientOf(url).listInstances();
      expect([instances.length, incomplete?.isCertain]).toEqual([10_000, true]);
    });
    expect(seen.length).toBeLessThanOrEqual(51);
    expect(worst).toBeLessThan(60);
  });

  test.each([
    ['which name each other', (at: string) => (at.includes('page=2') ? 1 : 2)],
    ['which name themselves', () => 1],
  ])('pages %s', async (_what, next) => {
    const { url, seen } = await openServer((request, response) => {
      const links = { next: `/api/v1/instances?page=${next(request.url ?? '')}` };
      response.end(JSON.stringify({ data: [record(1)], links }));
    });
    expect((await clientOf(url).listInstances()).instances).toHaveLength(1);
    expect(seen.length).toBeLessThanOrEqual(3);
  });

  test('ten thousand instances, and fifty thousand', async () => {
    for (const [count, incomplete] of [
      [10_000, undefined],
      [50_000, { read: 10_000, total: 50_000, isCertain: true }],
    ] as const) {
      const body = JSON.stringify({ data: Array.from({ length: count }, (_, id) => record(id)) });
      const { url } = await openServer((_request, response) => response.end(body));
      const { worst } = await growthOf(async () => {
        const list = await clientOf(url).listInstances();
        expect([list.instances.length, list.incomplete]).toEqual([10_000, incomplete]);
      });
      expect(worst).toBeLessThan(60);
    }
  });
});

describe('JSON nested 200,000 deep', () => {
  const levels = 200_000;
  test.each([
    ['as the whole answer', deep(levels)],
    ['as the list', `{"data":${deep(levels)}}`],
    ['as an id', `{"data":[{"id":${deep(levels)},"name":"a"}]}`],
    ['as objects', `${'{"data":'.repeat(levels)}1${'}'.repeat(levels)}`],
    ['as the next page', `{"data":[{"id":1}],"links":{"next":${deep(levels)}}}`],
    ['as a field that nobody reads', `{"data":[{"id":1,"name":"a","status":"running","x":${deep(levels)}}]}`],
  ])('%s is read or unreadable, and ends nothing', async (_what, body) => {
    const { url } = await openServer((_request, response) => response.end(body));
    const hosting = clientOf(url);
    const ended = await Promise.allSettled([
      hosting.listInstances(),
      hosting.findInstance('1'),
      hosting.getUsage(),
    ]);
    for (const one of ended) {
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ name: 'HostingError', fault: 'unreadable' });
    }
  });

  test.each([400, 422, 503])('is no reason of a %i', async (status) => {
    const { url } = await openServer((_request, response) => {
      response.writeHead(status).end(`{"error":{"message":${deep(levels)},"details":${deep(levels)}}}`);
    });
    const fault = await faultOf(clientOf(url).powerInstance('1', 'stop'));
    expect([fault.answered, fault.said]).toEqual([true, undefined]);
  });
});

describe('a redirect', () => {
  test.each([
    [301, 'http://169.254.169.254/latest/meta-data/'],
    [302, 'http://[fe80::1]/'],
    [303, 'http://localhost:1/'],
    [307, '//evil.test/'],
    [308, 'file:///etc/passwd'],
  ])('%i to %s is not followed, and the key goes to nobody but the service', async (status, location) => {
    const origins = watchOrigins();
    const { url, seen } = await openServer((_request, response) => {
      response
        .writeHead(status, { location, refresh: `0; url=${location}`, link: `<${location}>; rel="next"` })
        .end();
    });
    const hosting = clientOf(url);
    expect(await faultOf(hosting.listInstances())).toMatchObject({ fault: 'unclear', retryable: false });
    expect(await faultOf(hosting.powerInstance('1', 'restart'))).toMatchObject({
      fault: 'unclear',
      outcome: 'unknown',
    });
    expect([...origins]).toEqual([url]);
    expect(seen).toHaveLength(2);
  });
});
