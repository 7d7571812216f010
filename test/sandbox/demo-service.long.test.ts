import { resolve } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { CLOUD_KINDS } from '../../sandbox/clouds/cloud.ts';
import { DEMO, playScript, runDemo } from '../../sandbox/demo.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts';
import { KEY, openTokenCloud } from '../clouds/outside/token-cloud-double.ts';
import { FAST, IMPATIENCE } from '../support/sandbox.ts';

let printed: string[] = [];
let complained: string[] = [];
let open: Sandbox | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
  printed = [];
  complained = [];
});

const terminal = {
  out: (text: string): void => void printed.push(text),
  err: (text: string): void => void complained.push(text),
  talk: () => Promise.resolve(true),
  browse: () => undefined,
  untilEnd: () => Promise.resolve(),
};

/** What a demo of these lines prints. It is opened as `npm run demo` does it, only quicker. */
async function play(over: SandboxOptions, lines: readonly string[]): Promise<string> {
  open = await openSandbox({
    ...DEMO,
    timings: { ...FAST, ...IMPATIENCE, ...DEMO.timings, patienceMs: 600 },
    cloud: { powerMs: 150, deleteMs: 80 },
    ...over,
  });
  await playScript(open, lines, terminal);
  return printed.join('\n');
}

describe.each(CLOUD_KINDS)('npm run demo -- --service %s', (service) => {
  test('plays at that cloud with its fleet, and shows the calls that it received', async () => {
    const lines = ['/instances', '/instances restart web-1', '/instances delete dev-ana', ':type dev-ana'];
    const said = await play(
      { service, timings: { ...FAST, ...IMPATIENCE, ...DEMO.timings, cancelWindowMs: 100 } },
      [...lines, ':calls'],
    );
    expect(complained).toEqual([]);
    expect(said).toMatch(/24 instances: 1 provisioning, 3 stopped, 20 running\.[^]*node-pool-1/);
    expect(said).toMatch(/📨 Asked [^\n]*web-1[^]*✅ Deleted dev-ana/);
    expect(said).toMatch(/was asked to change:\n[^\n]*POST [^\n]*: 20\d\n[^\n]*DELETE [^\n]*: 20\d\n/);
    expect(open?.cloud?.effects().map(({ name }) => name)).toEqual(['web-1', 'dev-ana']);
  });

  test('lets a person lock and set its machines', async () => {
    // A reading that began before the lock is over once the list is shown.
    const lines = [
      ':lock web-1',
      '/instances',
      '/instances restart web-1',
      ':unlock web-1',
      ':set web-1 stopped',
    ];
    const timings = { ...FAST, ...IMPATIENCE, ...DEMO.timings, sharedForMs: 0 };
    const said = await play({ service, timings }, [...lines, '/instances show web-1']);
    expect(complained).toEqual([]);
    expect(said).toContain('the hosting service has it locked');
    expect(said).toMatch(/⚫ web-1 .*stopped/);
    expect(open?.cloud?.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

test('time passes at a cloud: its machines cost', async () => {
  const said = await play({ service: 'vultr' }, ['/billing', ':pass 2d', '/billing']);
  const months = [...said.matchAll(/([\d.]+) USD this month so far/g)].map(([, usd]) => Number(usd));
  expect(months).toEqual([12.5, 37.5]);
});

test('a machine that ignores its shutdown can be forced off', async () => {
  const lines = ['/instances stop mail-1', ':press Force stop…', ':press Force stop'];
  expect(await play({ service: 'hetzner' }, lines)).toContain('✅ Stopped mail-1');
  expect(open?.cloud?.effects().map(({ effect }) => effect)).toEqual(['shutdown', 'power-off']);
});

test('at the hosting company an instance can be set too, and nothing is locked', async () => {
  const lines = [':set 101 stopped', '/instances show web-1', ':lock web-1', ':calls'];
  const said = await play({}, lines);
  expect(said).toMatch(/⚫ web-1 .*stopped/);
  expect(said).toContain('harbour was asked for no change.');
  expect(complained.join('\n')).toContain(
    ':lock web-1: The hosting company locks nothing. A cloud does: start the demo with --service.',
  );
});

test.each([
  [':set web-1', 'Say an instance and running or stopped, like web-1 stopped.'],
  [':set web-1 off', 'Say an instance and running or stopped, like web-1 stopped.'],
  [':set nowhere stopped', 'There is no instance "nowhere" at the hosting service.'],
  [':set twins stopped', 'Several instances are called "twins". Say an id.'],
])('%s is refused in a sentence', async (line, sentence) => {
  await play({}, [line]);
  expect(complained.join('\n')).toContain(`${line}: ${sentence}`);
});

test('nothing can act on the hosting company while the bot runs a cloud', async () => {
  await play({ service: 'hetzner', bot: false }, []);
  expect(() => open?.hosting).toThrow('the bot runs Hetzner Cloud, and no hosting company');
});

test.each([
  [
    ['--service', 'aws'],
    'There is no service "aws". There are instance-hosting, digitalocean, hetzner, vultr.',
  ],
  [
    ['--service'],
    '--service wants the name of a service after it. There are instance-hosting, digitalocean,',
  ],
  [
    ['--service', 'vultr', '--customer', 'inland'],
    'Vultr has no customers to choose from: leave --customer out.',
  ],
])('%j is refused in a sentence', async (args, sentence) => {
  expect(await runDemo(args, {}, terminal)).toBe(1);
  expect(complained.join('\n')).toContain(sentence);
  expect(printed).toEqual([]);
});

describe('an adapter of one’s own', () => {
  const own = async (): Promise<Record<string, string>> => {
    const { url } = await openTokenCloud();
    return {
      HOSTING_SERVICE: resolve('test/clouds/outside/token-cloud.ts'),
      HOSTING_API_URL: url,
      HOSTING_LOGIN_URL: `${url}/oauth/token`,
      HOSTING_API_TOKEN: KEY,
    };
  };

  test('is played at a service on this machine', async () => {
    expect(await runDemo(['/instances'], await own(), terminal)).toBe(0);
    expect(printed.join('\n')).toContain('web-a');
  });

  test.each([
    ['HOSTING_API_URL', 'https://api.example.com'],
    ['HOSTING_LOGIN_URL', 'https://login.example.com/token'],
    ['HOSTING_SERVICE', ''],
  ])('is not played at another, where %s is %j', async (name, value) => {
    expect(await runDemo(['/instances'], { ...(await own()), [name]: value }, terminal)).toBe(0);
    expect(printed.join('\n')).not.toContain('web-a');
    expect(printed.join('\n')).toContain('web-1');
  });
});

test('--service instance-hosting is the demo without it', async () => {
  expect(await runDemo(['--service', 'instance-hosting', '/instances'], {}, terminal)).toBe(0);
  expect(printed.join('\n')).toContain('web-1 (101)');
});
