import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { CLOUD_KINDS } from '../../sandbox/clouds/cloud.ts';
import { DEMO, playScript, runDemo } from '../../sandbox/demo.ts';
import { COLON_VERBS } from '../../sandbox/line.ts';
import { PEOPLE } from '../../sandbox/people.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts';
import { demoWorld } from '../../sandbox/world.ts';
import { adapter as instanceHosting } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { FAST, IMPATIENCE } from '../support/sandbox.ts';

let printed: string[] = [];
let complained: string[] = [];
let talks: Sandbox[] = [];
let browsed: string[] = [];
let open: Sandbox | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
  printed = [];
  complained = [];
  talks = [];
  browsed = [];
});

const terminal = {
  out: (text: string): void => void printed.push(text),
  err: (text: string): void => void complained.push(text),
  talk: (sandbox: Sandbox): Promise<boolean> => {
    talks.push(sandbox);
    return Promise.resolve(true);
  },
  browse: (url: string): void => void browsed.push(url),
  untilEnd: (): Promise<void> => Promise.resolve(),
};

const NOON = Date.parse('2026-11-22T12:00:00Z') - Date.now();

/** The demo as `npm run demo` opens it, only quicker, and at noon: no midnight charges anybody in the middle of a test. */
async function openDemo(over: SandboxOptions = {}): Promise<Sandbox> {
  open = await openSandbox({
    ...DEMO,
    ...over,
    // Who is mentioned in a reply is as in the demo itself, so that what is printed is.
    timings: { ...FAST, ...IMPATIENCE, mentionAfterMs: TIMINGS.mentionAfterMs, ...DEMO.timings },
    hosting: { powerMs: 250, clock: () => Date.now() + NOON, ...over.hosting },
  });
  await open.look();
  return open;
}

test('a demo that is left alone leaves people nine tenths of the calls that the hosting company allows', async () => {
  const demo = await openDemo({ hosting: { rateLimit: 100_000 } });
  const before = demo.hosting.calls.length;
  await demo.pass(60_000);
  const callsPerLook = demo.hosting.calls.length - before;
  expect(callsPerLook).toBeGreaterThan(0);
  const { limit } = instanceHosting;
  const looksPerLimit = (limit.seconds * 1_000) / DEMO.timings.billingCheckEveryMs;
  expect(callsPerLook * looksPerLimit).toBeLessThanOrEqual(limit.requests / 10);
});

test('when days pass the balance is read at once, and the alert stands there for the next line', async () => {
  const demo = await openDemo({ customer: 'draining' });
  await playScript(demo, ['/billing', ':pass 2d', '/billing', ":press I'm on it"], terminal);
  expect(complained).toEqual([]);
  const all = printed.join('\n');
  expect(all).toContain('💰 900 credits');
  // The card, and the post that says that it got worse.
  expect(
    all.match(/^Lamplighter.*\n {2}🔴 The balance is critical: about (?:1 day|[12] to \d+ days) left/gm),
  ).toHaveLength(2);
  expect(all).toMatch(/💰 300 credits · 300 credits a day · about (?:1 day|[12] to \d+ days) left/);
  expect(all).toMatch(/@ana is on it/);
});

test('--accounts is the same world twice: each line names its account, and so does what is done behind the bot', async () => {
  const demo = await openDemo({ accounts: {} });
  const lines = [
    '/instances restart web-1',
    '/instances restart labs:web-1',
    ':set acme:web-2 stopped',
    ':calls',
  ];
  expect(await playScript(demo, [...lines, ':people', '/instances acme:web-2', ':pass 1d'], terminal)).toBe(
    0,
  );
  expect(complained).toEqual([]);
  const all = printed.join('\n');
  expect(all).toContain('Which account: acme or labs?');
  expect(all).toMatch(/^ {2}`labs`\n {2}✅ Restarted web-1 \(101\)/m);
  expect(all).toMatch(
    /What Hosting \(acme, labs\) was asked to change:\n +POST labs:\/instances\/101\/restart: 200\n/,
  );
  expect(all).toMatch(/^ {2}`acme`\n.*web-2.*stopped/m);
  expect(all).toMatch(/^ +acme\n +@admin [^]*^ +labs\n +@admin /m);
  expect(await runDemo(['--accounts', '--service', 'hetzner'], {}, terminal)).toBe(1);
  expect(complained.join()).toContain('leave --service out');
});

test('what the README shows is what the line that it gives prints', async () => {
  const readme = readFileSync('README.md', 'utf8');
  const [, line = '', transcript = ''] =
    /^npm run demo -- "(.*)" +#.*\n```\n\n```\n([^`]*)```/m.exec(readme) ?? [];
  expect(line).toMatch(/^\//);
  const demo = await openDemo();
  expect(await playScript(demo, [line], terminal)).toBe(0);
  expect(timeless(printed.join('\n'))).toBe(timeless(transcript.trimEnd()));
});

/** Without dates, durations and references, which differ from one time to the next. */
function timeless(text: string): string {
  return text
    .replaceAll(/[A-Z][a-z]{2} \d{1,2}, \d{4}( \d{1,2}:\d\d [AP]M)?/g, '<date>')
    .replaceAll(/\d+ seconds?(?= ago)/g, '<seconds>')
    .replaceAll(/(after|usually) \d+ s/g, '$1 <seconds>')
    .replaceAll(/Request [\w-]{8}/g, 'Request <ref>');
}

describe('npm run demo -- --web', () => {
  test('prints where the page is, opens it where that is wanted, and types the lines in it', async () => {
    expect(await runDemo(['--web', '--port', '0', '--open', '/instances show web-1'], {}, terminal)).toBe(0);
    expect(complained).toEqual([]);
    const [url = ''] = browsed;
    expect(printed[0]).toBe(`Slack in your browser: ${url}\n`);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(printed[1]).toMatch(/^Agents ask at http:\/\/127\.0\.0\.1:\d+\/mcp: /);
    expect(printed.join('\n')).toContain('web-1 (101)');
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test.each(['--port', '--port=x', '--port=70000'])('says what is wrong with %s', async (option) => {
    expect(await runDemo(['--web', option], {}, terminal)).toBe(1);
    expect(complained.join('\n')).toContain('--port wants a number after it');
  });
});

describe('npm run demo', () => {
  test.each([[''], [' '], [undefined]])('starts a Redis of its own where REDIS_URL is %j', async (value) => {
    expect(await runDemo(['/instances'], { REDIS_URL: value }, terminal)).toBe(0);
    expect(printed.join('\n')).toContain('web-1 (101)');
  });

  test('goes by the policy file that LAMPLIGHTER_POLICY names', async () => {
    const lines = ['/lamplighter can restart web-1', '/lamplighter can restart db-1'];
    expect(await runDemo(lines, { LAMPLIGHTER_POLICY: 'docs/policy.yaml' }, terminal)).toBe(0);
    expect(printed.join('\n')).toContain(
      'operator on staging-*, web-* in #ops, given by the policy file policy.yaml.',
    );
    expect(printed.join('\n')).toContain("The policy doesn't let anyone see any instance");
  });

  test('goes by the variables that say who may do what', async () => {
    const env = {
      LAMPLIGHTER_EVERYONE: 'viewer',
      LAMPLIGHTER_ADMINS: 'U0BOB000001',
      LAMPLIGHTER_PROTECTED: 'web-1',
      LAMPLIGHTER_APPROVE: 'db-1',
    };
    const lines = [
      '/instances restart web-1',
      ':as bob',
      '/lamplighter can restart web-1',
      '/lamplighter can restart db-1',
    ];
    expect(await runDemo(lines, env, terminal)).toBe(0);
    const said = printed.join('\n');
    expect(said).toContain('You need the operator role to start, stop or restart instances. @bob can help.');
    expect(said).toContain('web-1 (101) is protected');
    expect(said).toContain('must approve it');
  });

  test('refuses a bad one in the words of the bot', async () => {
    expect(await runDemo(['/instances'], { LAMPLIGHTER_EVERYONE: 'boss' }, terminal)).toBe(1);
    expect(complained.join('\n')).toMatch(
      /LAMPLIGHTER_EVERYONE must be one of viewer, operator, finance, admin, none/,
    );
  });

  test('prints what somebody else alone reads', async () => {
    expect(await runDemo([':as guest', '/instances restart web-1'], {}, terminal)).toBe(0);
    expect(printed.join('\n')).toMatch(
      /What guest alone reads:\n\nLamplighter\n {2}Restart web-1: You need to be a full member/,
    );
  });

  test(':people says who there is, with their ids, and who has no role', async () => {
    const lines = [':people', '/lamplighter access grant operator @guest', ':people'];
    expect(
      await runDemo(lines, { LAMPLIGHTER_EVERYONE: 'viewer', LAMPLIGHTER_ADMINS: 'U0ANA000001' }, terminal),
    ).toBe(0);
    const said = printed.join('\n');
    expect(said).toMatch(/@ana +U0ANA000001 +full member +admin, by the configuration; viewer, as every/);
    expect(said).toMatch(/@guest +U0GUEST0001 +guest +no role/);
    expect(said).toMatch(/@guest +U0GUEST0001 +guest +operator/);
    expect(said).toMatch(/@gone +U0GONE00001 +deactivated +no role/);
  });

  test('says so where there is no such policy file, and ends', async () => {
    expect(await runDemo(['/instances'], { LAMPLIGHTER_POLICY: 'nowhere.yaml' }, terminal)).toBe(1);
    expect(complained.join('\n')).toContain("LAMPLIGHTER_POLICY can't be read");
  });

  test('without a line lets a person type', async () => {
    expect(await runDemo([], {}, terminal)).toBe(0);
    expect(talks).toHaveLength(1);
    const [, url] =
      /LAMPLIGHTER_URL=(\S+\/mcp) .* npm run propose -- restart web-1/.exec(printed.join()) ?? [];
    expect(url).toBe(talks[0]?.slack.agentsUrl());
  });

  test('says nothing of agents where they may not ask', async () => {
    expect(await runDemo([], { LAMPLIGHTER_AGENTS: 'no' }, terminal)).toBe(0);
    expect(printed).toEqual([]);
  });

  test.each(['--help', '-h'])('%s says what there is to type, to be and to look at', async (option) => {
    expect(await runDemo([option], {}, terminal)).toBe(0);
    expect(complained).toEqual([]);
    const said = printed.join('\n');
    for (const verb of COLON_VERBS) expect(said).toContain(`:${verb}`);
    for (const { handle } of PEOPLE) expect(said).toContain(handle);
    for (const { name } of demoWorld().customers) expect(said).toContain(name);
    for (const kind of CLOUD_KINDS) expect(said).toContain(kind);
    expect(said).toMatch(
      /--customer .*\n\s+--service .*\n\s+--accounts .*\n\s+--web .*\n\s+--port .*\n\s+--open .*\n\s+--help/,
    );
  });

  test.each([
    [['--loud', '/instances'], /^There is no option --loud\.\n\nnpm run demo/],
    [['-x'], /^There is no option -x\.\n\nnpm run demo/],
    [['--customer'], /^--customer wants the name of a customer after it\.\n\nnpm run demo/],
    [['--customer', 'nobody'], /^There is no customer "nobody"\. There are harbour, .*draining/],
  ])('%j is answered in a sentence', async (args, sentence) => {
    expect(await runDemo(args, {}, terminal)).toBe(1);
    expect(printed).toEqual([]);
    expect(complained.join('\n')).toMatch(sentence);
  });
});
