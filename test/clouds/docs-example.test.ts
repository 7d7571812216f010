import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { checkAdapter } from '../../sandbox/adapter-check/check.ts';
import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import { type Given, openService } from './outside/small-service.ts';

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
  const { url } = await openService(({ method, url: { pathname, searchParams }, headers }): Given => {
    if (headers.authorization !== 'Bearer right-key-of-somebody') return [401, { reason: 'who are you?' }];
    const [, kind, id = '', verb] = pathname.split('/').slice(1);
    if (kind === 'tasks') return [200, { task: { id, state: 'ok' } }];
    if (kind === 'machines' && id === '') {
      const cursor = searchParams.get('cursor');
      return [200, { machines: [machine(cursor ?? 'm-1')], cursor: cursor ? null : 'm-2', count: 2 }];
    }
    if (!states.has(id)) return [404, { reason: 'no such machine' }];
    if (method === 'GET') return [200, machine(id)];
    states.set(id, verb === 'down' ? 'down' : 'up');
    return [202, { task: { id: 't-1', state: 'busy' } }];
  });
  return url;
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
