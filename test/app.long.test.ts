import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { customer } from '../sandbox/world.ts';
import type { HostingSandboxOptions } from '../sandbox/hosting/sandbox.ts';
import { instance } from '../sandbox/world.ts';
import {
  answeredWith,
  answerTo,
  play,
  powerCalls,
  privateTexts,
  readAll,
  ready,
  runToEnd,
  urlOf,
} from './support/sandbox.ts';

type Variant = NonNullable<HostingSandboxOptions['variant']>;

/** Each way in which another service may answer, several at a time. */
const VARIANTS: [string, Partial<Variant>][] = [
  ['bare lists and records, empty answers to power actions', { list: 'bare', one: 'bare', changes: 'empty' }],
  [
    'servers under their own key, action objects as answers and errors as HTML',
    { list: 'servers', one: 'one-element array', changes: 'action object', errors: 'html' },
  ],
  [
    'pages by cursor and statuses in capitals under another name',
    {
      list: 'items',
      paging: { style: 'cursor', size: 4 },
      statusField: 'power_status',
      statusCase: 'upper',
    },
  ],
  [
    'pages by Link header and other status words',
    {
      paging: { style: 'link header', size: 4 },
      statusField: 'state',
      statusWords: { running: 'active', restarting: 'rebooting', stopped: 'off' },
    },
  ],
  [
    'string ids, errors as strings and no word on what is possible',
    { idPrefix: '', errors: 'string', allowances: 'absent' },
  ],
];

describe('the whole road', () => {
  it.each(VARIANTS)('runs with a service that has %s', async (_name, variant) => {
    const sandbox = await play({ hosting: { variant } });
    for (const line of ['restart web-1', 'stop web-2', 'stop says-503']) {
      await runToEnd(sandbox, 'ana', `/instances ${line}`);
    }
    const cards = readAll(sandbox).filter((text) => text.startsWith('✅'));
    expect(cards).toEqual([
      expect.stringContaining('Restarted web-1 (101)'),
      expect.stringContaining('Stopped web-2 (102)'),
      expect.stringContaining('Stopped says-503 (205)'),
    ]);
    expect(await answerTo(sandbox, 'ana', '/instances status:running')).toContain('web-1 (101)');
  });

  it('runs in Socket Mode, for commands, mentions and buttons', async () => {
    const sandbox = await play({ bot: false });
    await sandbox.startBot({ SLACK_APP_TOKEN: sandbox.slack.appToken });
    const ana = sandbox.slack.person('ana');
    await ana.mentions('#ops', 'restart web-2');
    const card = await answeredWith(sandbox, 'ana', '/instances web-1');
    await ana.presses(card, 'Restart');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(2);
    expect(readAll(sandbox)).toHaveLength(4);
  });

  it('runs in two web parts and two workers over one Redis', async () => {
    const sandbox = await play({ bot: false });
    for (const role of ['worker', 'worker', 'web', 'web']) await sandbox.startBot({ LAMPLIGHTER_ROLE: role });
    const ana = sandbox.slack.person('ana');
    await Promise.all(
      ['web-1', 'web-2', 'db-1'].map((name) => ana.types('#ops', `/instances restart ${name}`)),
    );
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(3);
    expect(readAll(sandbox)).toHaveLength(6);
  });

  it('answers to prefixed commands, so that two deployments live in one workspace', async () => {
    const sandbox = await play({ env: { SLACK_COMMAND_PREFIX: 'staging-' } });
    await runToEnd(sandbox, 'ana', '/staging-instances restart web-1');
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
  });

  it('lets no secret into logs, messages, metrics, jobs or Redis', async () => {
    const canaries = {
      SLACK_BOT_TOKEN: 'xoxb-canary-1111111111',
      SLACK_SIGNING_SECRET: 'canary-signing-2222222222',
      HOSTING_API_TOKEN: 'oc_live_canary_3333333333',
    };
    const sandbox = await play({
      slack: { botToken: canaries.SLACK_BOT_TOKEN, signingSecret: canaries.SLACK_SIGNING_SECRET },
      hosting: { world: { customers: [customer('harbour', { apiKey: canaries.HOSTING_API_TOKEN })] } },
      env: { ...canaries, LOG_LEVEL: 'trace' },
    });
    // The key is taken away on purpose, so that faults speak too.
    sandbox.hosting.failNext({}, 401, 1_000);
    for (const line of [
      '/instances',
      '/instances restart web-1',
      '/instances show web-1',
      '/lamplighter help',
    ]) {
      await answerTo(sandbox, 'ana', line);
    }
    await sandbox.settled();
    const metrics = await (await fetch(urlOf(sandbox, '/metrics'))).text();
    const messages = JSON.stringify(sandbox.slack.channel('#ops').history.map((message) => message.content));
    const redis = new Redis(sandbox.redisUrl);
    const dump: string[] = [];
    for (const key of await redis.keys('*')) dump.push(key, JSON.stringify(await redis.dump(key)));
    redis.disconnect();
    expect(privateTexts(sandbox, 'ana')[0]).toContain("refused the bot's API key");
    expect(metrics).toContain('lamplighter_hosting_call_seconds');
    const everything = [sandbox.logs.join(''), messages, metrics, dump.join('')].join('\n');
    for (const canary of Object.values(canaries)) expect(everything).not.toContain(canary);
  });
});

describe('health', () => {
  it('is distinguished from readiness, which hangs on Redis', async () => {
    const sandbox = await play({ ownRedis: true });
    const status = async (path: string): Promise<number> => (await fetch(urlOf(sandbox, path))).status;
    expect(await status('/healthz')).toBe(200);
    expect(await status('/readyz')).toBe(200);
    await sandbox.redis!.kill();
    expect(await status('/healthz')).toBe(200);
    expect(await status('/readyz')).toBe(503);
    await sandbox.redis!.restart();
    await ready(sandbox);
  });
});

describe('a bot that is stopped', () => {
  it('answers first what it has acknowledged', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    const held = slack.hold('response_url');
    const interaction = await slack.person('ana').types('#ops', '/instances');
    await held.arrived;
    let isStopped = false;
    const stopping = sandbox.stopBots().then(() => (isStopped = true));
    // What must not happen has no sign to wait for: a stop that waits for nobody takes some milliseconds.
    await new Promise((done) => setTimeout(done, 300));
    expect(isStopped).toBe(false);
    held.release();
    await stopping;
    expect(interaction.ephemeral).toHaveLength(1);
  });
});

describe('a service that echoes its key', () => {
  it('puts it into no message', async () => {
    const sandbox = await play();
    const key = sandbox.hosting.customers[0]!.apiKey;
    sandbox.hosting.addInstance('harbour', instance(777, `echo ${key}`));
    expect(await answerTo(sandbox, 'ana', '/instances')).toContain('echo [hidden] (777)');
    expect(JSON.stringify(sandbox.slack.calls)).not.toContain(key);
  });
});

it.each<[string | undefined, Readonly<Record<string, string>>]>([
  ['http', { LAMPLIGHTER_ROLE: 'all' }],
  ['http', { LAMPLIGHTER_ROLE: 'web' }],
  ['socket', { LAMPLIGHTER_ROLE: 'web', SLACK_APP_TOKEN: 'xapp' }],
  [undefined, { LAMPLIGHTER_ROLE: 'worker' }],
  [undefined, { LAMPLIGHTER_ROLE: 'worker', SLACK_APP_TOKEN: 'xapp' }],
])('what is ready says how Slack reaches it, and nothing where it does not: %s', async (mode, env) => {
  const sandbox = await play({ bot: false });
  const token: Record<string, string> =
    'SLACK_APP_TOKEN' in env ? { SLACK_APP_TOKEN: sandbox.slack.appToken } : {};
  await sandbox.startBot({ ...env, ...token });
  const line = sandbox.logs.find((one) => one.includes('"msg":"ready"')) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({ level: 'info', role: env['LAMPLIGHTER_ROLE'] });
  expect((JSON.parse(line) as { mode?: string }).mode).toBe(mode);
});
