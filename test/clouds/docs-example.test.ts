import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { checkAdapter } from '../../sandbox/adapter-check/check.ts';
import type { Adapter } from '../../src/platform/hosting/adapter.ts';

/** The adapter that docs/another-service.md shows, as code. */
async function exampleOfDocs(): Promise<Adapter> {
  const [, code = ''] =
    /```ts\n(import [^]*?)```/.exec(readFileSync('docs/another-service.md', 'utf8')) ?? [];
  // Outside of the project, whose files others read meanwhile.
  const file = join(mkdtempSync(join(inject('scratchFolder'), 'docs-example-')), 'example.ts');
  writeFileSync(file, code);
  const { adapter } = (await import(/* @vite-ignore */ file)) as { adapter: Adapter };
  return adapter;
}

/** The service of that page: two machines, one on each page, and tasks that take no time. */
async function openExampleCloud(): Promise<string> {
  const states = new Map([
    ['m-1', 'up'],
    ['m-2', 'down'],
  ]);
  const machine = (uuid: string) => ({
    uuid,
    title: `web-${uuid}`,
    state: states.get(uuid),
    created: '2026-01-05T10:00:00Z',
  });
  const answer = (method: string, path: string, query: URLSearchParams): [number, unknown] => {
    const [, kind, id = '', verb] = path.split('/').slice(1);
    if (kind === 'tasks') return [200, { task: { id, state: 'ok' } }];
    if (kind === 'machines' && id === '') {
      const cursor = query.get('cursor');
      return [200, { machines: [machine(cursor ?? 'm-1')], cursor: cursor ? null : 'm-2', count: 2 }];
    }
    if (!states.has(id)) return [404, { reason: 'no such machine' }];
    if (method === 'GET') return [200, machine(id)];
    states.set(id, verb === 'down' ? 'down' : 'up');
    return [202, { task: { id: 't-1', state: 'busy' } }];
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://here.test');
    const isKnown = request.headers.authorization === 'Bearer right-key-of-somebody';
    const [status, body] = isKnown
      ? answer(request.method ?? '', pathname, searchParams)
      : [401, { reason: 'who are you?' }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the adapter in docs/another-service.md passes every check against the service that it describes', async () => {
  const [adapter, url] = await Promise.all([exampleOfDocs(), openExampleCloud()]);
  const findings = await checkAdapter({
    adapter,
    url,
    token: 'right-key-of-somebody',
    powerId: 'm-1',
    patienceMs: 5_000,
  });
  expect(findings.filter(({ level }) => level !== 'ok').map(({ check }) => check)).toEqual([
    'why it is paused',
    'money',
    'the lost one in a list',
  ]);
});
