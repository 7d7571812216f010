import { expect, onTestFinished, test } from 'vitest';
import { checkAdapter } from '../../sandbox/adapter-check/check.ts';
import type { Finding } from '../../sandbox/adapter-check/finding.ts';
import { createCloud } from '../../sandbox/clouds/cloud.ts';
import { createHostingSandbox } from '../../sandbox/hosting/sandbox.ts';
import { loadAdapter } from '../../src/app/load-adapter.ts';
import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import { CLOUDS } from './play-on.ts';

const AS_USUAL = { authHeader: 'Authorization', authScheme: 'Bearer', patienceMs: 5_000 };

/** What each cloud doesn't have. */
const NOT_TRIED: Readonly<Record<(typeof CLOUDS)[number], readonly string[]>> = {
  digitalocean: [],
  hetzner: ['not tried money: the adapter reads none'],
  vultr: ['not tried the lost one in a list: the adapter lists nothing that was begun'],
};

const levelsOf = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ level }) => level !== 'ok')
    .map(({ check, level, said }) => `${level} ${check}: ${said}`);

async function tryAt(kind: (typeof CLOUDS)[number], change: (adapter: Adapter) => Adapter = (one) => one) {
  const machines = Array.from({ length: 3 }, (_, nth) => ({ name: `web-${nth}` }));
  const cloud = createCloud({ kind, machines, powerMs: 0, deleteMs: 0 });
  const { url } = await cloud.start();
  onTestFinished(() => cloud.stop());
  const adapter = change(await loadAdapter(kind));
  const findings = await checkAdapter({
    ...AS_USUAL,
    adapter,
    url,
    token: cloud.token,
    powerId: cloud.machine('web-0').id,
  });
  return { cloud, findings };
}

test.each(CLOUDS)(
  'the adapter of %s passes every check, and restarts once for a lost answer',
  async (kind) => {
    const { cloud, findings } = await tryAt(kind);
    expect(levelsOf(findings)).toEqual(NOT_TRIED[kind]);
    expect(cloud.effects()).toHaveLength(4);
  },
);

test('the adapter of the default service passes every check', async () => {
  const sandbox = createHostingSandbox({ powerMs: 0 });
  const { url } = await sandbox.start();
  onTestFinished(() => sandbox.stop());
  const [customer] = sandbox.customers;
  const adapter = await loadAdapter('instance-hosting');
  const findings = await checkAdapter({ ...AS_USUAL, adapter, url, token: customer?.apiKey ?? '' });
  expect(levelsOf(findings).filter((said) => said.startsWith('fault'))).toEqual([]);
});

test('an adapter that reads a status wrongly, loses a page or gives another id is found out', async () => {
  const { findings: paging } = await tryAt('hetzner', ({ instances, ...rest }) => ({
    ...rest,
    instances: {
      ...instances,
      list: {
        ...instances.list,
        path: '/servers?per_page=1',
        paging: () => ({ next: 'lost', isFull: false }),
      },
    },
  }));
  expect(levelsOf(paging)).toContainEqual(expect.stringMatching(/^doubt list: 1 instances read/));

  const { findings: statuses } = await tryAt('vultr', ({ instances, ...rest }) => ({
    ...rest,
    instances: {
      ...instances,
      one: (id) => ({
        path: `/instances/${id}`,
        decode: (answer) => ({ ...instances.one(id).decode(answer), name: 'somebody else' }),
      }),
    },
  }));
  expect(levelsOf(statuses)).toContainEqual(expect.stringMatching(/^fault one: .*another name/));

  const { findings: power } = await tryAt('digitalocean', ({ instances, ...rest }) => ({
    ...rest,
    instances: { ...instances, power: (id) => ({ ...instances.power(id, 'start'), path: '/nowhere' }) },
  }));
  expect(levelsOf(power)).toContainEqual(expect.stringMatching(/^fault (restart|a lost answer)/));
});

test.each<[string, Partial<Adapter['instances']>, RegExp]>([
  [
    'does not find a restart among what was begun',
    {
      begun: (id) => ({
        path: `/servers/${id}/actions`,
        decode: () => ({ actions: [], hasMore: false }),
      }),
    },
    /^fault the lost one in a list: 0 actions came/,
  ],
  [
    'reads several actions as something else than each alone',
    {
      actions: {
        most: 50,
        of: (ids) => ({
          path: `/actions?${ids.map((id) => `id=${id}`).join('&')}`,
          decode: () => ids.map((id) => ({ id, state: 'running' })),
        }),
      },
    },
    /^fault several actions: \d+ is running together and done alone/,
  ],
])('an adapter that %s is found out', async (_what, wrong, said) => {
  const { findings } = await tryAt('hetzner', ({ instances, ...rest }) => ({
    ...rest,
    instances: { ...instances, ...wrong },
  }));
  expect(levelsOf(findings)).toContainEqual(expect.stringMatching(said));
});
