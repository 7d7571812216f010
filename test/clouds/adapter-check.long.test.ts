import { expect, onTestFinished, test } from 'vitest';
import { checkAdapter } from '../../sandbox/adapter-check/check.ts';
import type { Finding } from '../../sandbox/adapter-check/finding.ts';
import { createCloud } from '../../sandbox/clouds/cloud.ts';
import { createHostingSandbox } from '../../sandbox/hosting/sandbox.ts';
import { pausedReasons, proves } from '../../sandbox/adapter-check/says-checks.ts';
import { loadAdapter } from '../../src/app/load-adapter.ts';
import type { Adapter, Lists } from '../../src/platform/hosting/adapter.ts';
import { aboutOf } from '../../src/platform/hosting/client.ts';
import { listsOf } from '../../src/platform/hosting/read-list.ts';
import type { Balance, HostingService, Instance } from '../../src/platform/hosting/service.ts';
import { CLOUDS } from './play-on.ts';

const AS_USUAL = { patienceMs: 5_000 };

const NOTHING_PAUSED = 'not tried why it is paused: nothing is paused';

/** What each cloud doesn't have. */
const NOT_TRIED: Readonly<Record<(typeof CLOUDS)[number], readonly string[]>> = {
  digitalocean: [NOTHING_PAUSED],
  hetzner: [NOTHING_PAUSED, 'not tried money: the adapter reads none'],
  vultr: [NOTHING_PAUSED, 'not tried the lost one in a list: the adapter lists nothing that was begun'],
};

const levelsOf = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ level }) => level !== 'ok')
    .map(({ check, level, said }) => `${level} ${check}: ${said}`);

async function tryAt(
  kind: (typeof CLOUDS)[number],
  change: (adapter: Adapter) => Adapter = (one) => one,
  powerMs = 0,
) {
  const machines = Array.from({ length: 3 }, (_, nth) => ({ name: `web-${nth}` }));
  const cloud = createCloud({ kind, machines, powerMs, deleteMs: 0 });
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

const ABOUT = aboutOf(await loadAdapter('instance-hosting'));

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
        ...listsOf(instances.list)[0]!,
        path: '/servers?per_page=1',
        paging: () => ({ next: 'unknown', isFull: false }),
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

test.each<[string, (all: Lists<Instance>) => Lists<Instance>, string]>([
  ['the two lists of an adapter are read alone, and pass', (all) => all, 'ok several lists: 3 at /droplets?'],
  [
    'two lists with the same machines are found out',
    (all) => [listsOf(all)[0]!, { ...listsOf(all)[0]!, path: '/droplets?type=droplets' }],
    'doubt several lists: 412000001, 412000002, 412000003: stands in more than one',
  ],
  [
    'a list that the service does not have is found out',
    (all) => [listsOf(all)[0]!, { ...listsOf(all)[1]!, path: '/gpu_droplets' }],
    'fault several lists: /gpu_droplets: ',
  ],
])('%s', async (_what, change, said) => {
  const { findings } = await tryAt('digitalocean', ({ instances, ...rest }) => ({
    ...rest,
    instances: { ...instances, list: change(instances.list) },
  }));
  const told = findings.map((one) => `${one.level} ${one.check}: ${one.said}`);
  expect(told).toContainEqual(expect.stringContaining(said));
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
    'names what it leaves out as no beginning of a sentence',
    { leavesOut: 'dedicated servers.' },
    /^fault left out of the list: "dedicated servers\." does not begin a sentence/,
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

const MACHINE = { id: '7', name: 'web-1', statusWord: 'x', can: {} } as const;

test.each<[string, Partial<Instance>, Balance | undefined, string]>([
  [
    'has a reason and runs',
    { status: 'running', pausedFor: 'no-credit' },
    undefined,
    'fault: 7: has a reason',
  ],
  [
    'has no reason',
    { status: 'paused' },
    undefined,
    "doubt: 7: the bot says that the service doesn't say why",
  ],
  ['is suspended', { status: 'paused', pausedFor: 'suspended' }, undefined, 'ok: 7 suspended'],
  [
    'lacks credit that is there',
    { status: 'paused', pausedFor: 'no-credit', dailyCostCredits: '10' },
    { credits: '500' },
    'fault: 7: no-credit, and 500 is left for a day of it',
  ],
  [
    'lacks credit',
    { status: 'paused', pausedFor: 'no-credit', dailyCostCredits: '10' },
    { credits: '3.5' },
    'ok: 7 no-credit',
  ],
])('why it is paused, of an instance that %s', async (_what, machine, balance, said) => {
  const hosting: Pick<HostingService, 'about' | 'getBalance'> = {
    about: { ...ABOUT, offers: { ...ABOUT.offers, billing: 'prepaid' } },
    getBalance: async () => balance,
  };
  const { level, said: words } = await pausedReasons(hosting, [
    { ...MACHINE, status: 'running', ...machine },
  ]);
  expect(`${level}: ${words}`).toContain(said);
});

test('an adapter lets an action prove only what it reads and can do', async () => {
  const { instances, ...rest } = await loadAdapter('hetzner');
  const { action: _, ...withoutAction } = instances;
  const { force: __, ...withoutForce } = instances;
  const said = [
    proves({ ...rest, instances: { ...withoutAction, actionProves: ['stop'] } }),
    proves({ ...rest, instances: { ...withoutForce, actionProves: ['force-stop'] } }),
    proves({ ...rest, instances: { ...instances, actionProves: ['force-stop'] } }),
  ];
  expect(said.map(({ level }) => level)).toEqual(['fault', 'fault', 'ok']);
});

test('an action that ends before its machine has stopped is found to prove no stop', async () => {
  // The double ends an action with the change itself, so that it is the adapter that calls it done.
  const { findings } = await tryAt(
    'hetzner',
    ({ instances, ...rest }) => ({
      ...rest,
      instances: {
        ...instances,
        actionProves: ['stop'],
        action: (id) => ({ path: `/actions/${id}`, decode: () => ({ state: 'done' }) }),
      },
    }),
    300,
  );
  expect(levelsOf(findings)).toContainEqual(
    expect.stringMatching(/^doubt stop: is said to be proved by its action, which ended while it was still/),
  );
});
