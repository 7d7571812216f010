import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { demoWorld, ordinary, sentinels } from '../../sandbox/world.ts';

const page = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');

test('the table of sentinels in docs/sandbox.md is the world’s, name for name, id for id, status for status', () => {
  const rows = [...page.matchAll(/^\| +(\d+) +\| +`([^`]+)` +\| +(\w+) +\|/gm)].map(
    ([, id, label, status]) => ({
      id: Number(id),
      label,
      status,
    }),
  );
  const world = [
    ...ordinary.map((each) => ({ id: each.id, label: each.name, status: each.status })),
    ...sentinels().map(({ label, instance }) => ({ id: instance.id, label, status: instance.status })),
  ];
  expect(rows).toEqual(world);
});

test('the customers in docs/sandbox.md are the world’s', () => {
  const rows = [...page.matchAll(/^\| +`([\w-]+)` +\| +`(oc_live_demo_[\w-]+)` +\|/gm)].map(
    ([, name, apiKey]) => ({
      name,
      apiKey,
    }),
  );
  expect(rows).toEqual(demoWorld().customers.map(({ name, apiKey }) => ({ name, apiKey })));
});

test('alone it prints its address and its keys, and ends when asked to', async () => {
  const args = ['--import', 'tsx', 'sandbox/hosting/main.ts', '0'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed.toString())?.[0];
  const headers = { authorization: 'Bearer oc_live_demo_harbour' };
  expect((await fetch(`${url}/api/v1/instances`, { headers })).status).toBe(200);
  expect(printed.toString()).toContain('oc_live_demo_inland');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
