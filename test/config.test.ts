import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../src/app/config/config.ts';
import { VARIABLES } from '../src/app/config/variables.ts';
import { anyText } from './support/any-text.ts';
import { selfSigned } from './support/certifying.ts';
import { runs } from './support/runs.ts';

const ENOUGH = {
  SLACK_BOT_TOKEN: 'xoxb-1234-5678',
  SLACK_SIGNING_SECRET: '8f742231b10e8888',
  HOSTING_API_URL: 'https://api.example.test',
  HOSTING_API_TOKEN: 'oc_live_abc',
};
/** 32 bytes of a key that is used for nothing else. */
const KEY = Buffer.alloc(32, 'k').toString('base64');
/** What several workspaces need in place of the bot token. */
const SEVERAL = {
  SLACK_BOT_TOKEN: undefined,
  SLACK_TEAMS: 'T0LANTERN01, T0QUARRY001',
  SLACK_CLIENT_ID: '1234567890.1234567890',
  SLACK_CLIENT_SECRET: 'client-secret-1234',
  SLACK_PUBLIC_URL: 'https://lamplighter.example.com',
  LAMPLIGHTER_TOKEN_KEYS: `2026a:${KEY}`,
};
type Env = Record<string, string | undefined>;

/** What a ConfigError says; anything else fails the test. */
function faults(over: Env): string {
  try {
    loadConfig({ ...ENOUGH, ...over });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('taken');
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
function file(content: string): string {
  const path = join(folder, `${Math.random()}`);
  writeFileSync(path, content);
  return path;
}

test('four variables are enough, and everything else has its default', () => {
  expect(loadConfig(ENOUGH)).toEqual({
    slack: {
      botToken: 'xoxb-1234-5678',
      install: undefined,
      signingSecret: '8f742231b10e8888',
      appToken: undefined,
      apiUrl: 'https://slack.com/api/',
      commandPrefix: '',
    },
    hosting: {
      service: 'instance-hosting',
      url: 'https://api.example.test',
      token: 'oc_live_abc',
      clientCertificate: undefined,
    },
    redis: {
      url: 'redis://127.0.0.1:6379',
      replicas: 0,
      goesOnAlone: false,
      isVouchedFor: false,
      certificate: undefined,
    },
    redisPrefix: '',
    proxies: { https: undefined, http: undefined, except: undefined },
    host: '127.0.0.1',
    port: 3000,
    admins: [],
    everyone: 'none',
    role: 'all',
    links: { instanceUrl: undefined, topUpUrl: undefined },
    billingCurrency: undefined,
    isToppedUp: false,
    alerts: { warn: undefined, critical: undefined, channels: [], escalateTo: [] },
    outside: { webhook: undefined, mail: undefined },
    hasAgents: false,
    protectedInstances: [],
    approvals: [],
    policy: undefined,
    timings: { cancelWindowMs: 120_000, billingCheckEveryMs: 300_000 },
    audit: { keepMs: 400 * 24 * 3_600_000, stream: undefined },
    allowed: [],
    given: expect.objectContaining({ HOSTING_API_TOKEN: 'oc_live_abc', PORT: '3000' }),
    logLevel: 'info',
    doubts: {
      ofBot: [],
      ofAccount: [
        {
          what: 'There is no admin, so nobody can give roles or answer who asks for one.',
          todo: 'Put your Slack user id into LAMPLIGHTER_ADMINS.',
        },
      ],
    },
    secrets: ['xoxb-1234-5678', '8f742231b10e8888', 'oc_live_abc'],
  });
});

test('a configuration cannot be changed afterwards', () => {
  expect(Object.isFrozen(loadConfig(ENOUGH))).toBe(true);
});

test('every variable stands in the list once, with what it is about', () => {
  expect(new Set(VARIABLES.map((one) => one.name)).size).toBe(VARIABLES.length);
  for (const { name, about } of VARIABLES) {
    expect(name).toMatch(/^[A-Z_]+$/);
    expect(about.length).toBeGreaterThan(5);
  }
});

describe('a variable that is empty', () => {
  const outcome = (env: Env): unknown => {
    try {
      return loadConfig(env);
    } catch (error) {
      return String(error);
    }
  };
  const names = VARIABLES.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));

  test.each(names)('is one that is not set: %s', (name) => {
    const owner = name.replace(/_FILE$/, '');
    fc.assert(
      fc.property(fc.stringMatching(/^[ \t\r\n]{0,3}$/), (empty) => {
        const without = { ...ENOUGH, [owner]: undefined };
        expect(outcome({ ...without, [name]: empty })).toEqual(outcome(without));
      }),
      { numRuns: 10 },
    );
  });

  test('leaves a secret to its file', () => {
    const config = loadConfig({
      ...ENOUGH,
      SLACK_BOT_TOKEN: ' ',
      SLACK_BOT_TOKEN_FILE: file('xoxb-in-a-file'),
    });
    expect(config.slack.botToken).toBe('xoxb-in-a-file');
  });
});

test('the bot refuses to start without exactly the variables that the list calls required', () => {
  const isNeeded = (env: Env, name: string): boolean => {
    try {
      loadConfig({ ...env, [name]: undefined });
      return false;
    } catch (error) {
      return String(error).includes(`${name} is `);
    }
  };
  const overHttp = VARIABLES.filter(({ name }) => isNeeded(ENOUGH, name));
  expect(overHttp).toEqual(VARIABLES.filter(({ required }) => required !== undefined));
  for (const other of [
    { SLACK_APP_TOKEN: 'xapp-12345678', HOSTING_SERVICE: 'hetzner' },
    { LAMPLIGHTER_ROLE: 'worker', HOSTING_SERVICE: 'vultr' },
  ]) {
    const always = VARIABLES.filter(({ name }) => isNeeded({ ...ENOUGH, ...other }, name));
    const required = ['always', 'one workspace'];
    expect(always).toEqual(VARIABLES.filter((one) => required.includes(one.required ?? '')));
  }
});

describe('what is set is taken:', () => {
  test.each([
    [{ SLACK_API_URL: 'http://127.0.0.1:3000/api' }, { slack: { apiUrl: 'http://127.0.0.1:3000/api/' } }],
    [{ SLACK_COMMAND_PREFIX: 'staging-' }, { slack: { commandPrefix: 'staging-' } }],
    [{ SLACK_BOT_TOKEN: '  xoxb-1234-5678\n' }, { slack: { botToken: 'xoxb-1234-5678' } }],
    [{ REDIS_URL: '/run/redis.sock' }, { redis: { url: '/run/redis.sock' } }],
    [{ REDIS_URL: 'rediss://:pass@r:1/0' }, { redis: { url: 'rediss://:pass@r:1/0' } }],
    [{ REDIS_DURABLE: 'service' }, { redis: { isVouchedFor: true } }],
    [{ REDIS_REPLICAS: '2', LAMPLIGHTER_ALLOW: 'lone-redis' }, { redis: { replicas: 2, goesOnAlone: true } }],
    [
      { HTTPS_PROXY: 'proxy.example.com:3128' },
      { proxies: { https: 'http://proxy.example.com:3128', http: undefined, except: undefined } },
    ],
    [
      { https_proxy: 'https://small', HTTPS_PROXY: 'http://capital', http_proxy: 'http://b', no_proxy: '.c' },
      { proxies: { https: 'https://small', http: 'http://b', except: '.c' } },
    ],
    [{ PORT: '0' }, { port: 0 }],
    [
      { PORT: '65535', HOST: '0.0.0.0' },
      { port: 65_535, host: '0.0.0.0' },
    ],
    [{ LAMPLIGHTER_ADMINS: 'U012ABC, W99X\nU01' }, { admins: ['U012ABC', 'W99X', 'U01'] }],
    [{ LAMPLIGHTER_ADMINS: ' , ' }, { admins: [] }],
    [{ LAMPLIGHTER_EVERYONE: 'operator' }, { everyone: 'operator' }],
    [{ LAMPLIGHTER_ROLE: 'worker' }, { role: 'worker' }],
    [{ LAMPLIGHTER_AGENTS: 'yes' }, { hasAgents: true }],
    [{ LAMPLIGHTER_PROTECTED: 'prod-*, db-1\n101' }, { protectedInstances: ['prod-*', 'db-1', '101'] }],
    [{ LAMPLIGHTER_PROTECTED: ' , ' }, { protectedInstances: [] }],
    [{ LAMPLIGHTER_APPROVE: 'prod-*, 101' }, { approvals: [{ on: ['prod-*', '101'] }] }],
    [{ LAMPLIGHTER_APPROVE: ' , ' }, { approvals: [] }],
    [{ LAMPLIGHTER_CANCEL_WINDOW: '10s' }, { timings: { cancelWindowMs: 10_000 } }],
    [{ LAMPLIGHTER_CANCEL_WINDOW: ' 90s\n' }, { timings: { cancelWindowMs: 90_000 } }],
    [{ LAMPLIGHTER_CANCEL_WINDOW: '2m' }, { timings: { cancelWindowMs: 120_000 } }],
    [{ LAMPLIGHTER_CANCEL_WINDOW: '60m' }, { timings: { cancelWindowMs: 3_600_000 } }],
    [{ LAMPLIGHTER_CANCEL_WINDOW: '1h' }, { timings: { cancelWindowMs: 3_600_000 } }],
    [{ LAMPLIGHTER_CANCEL_WINDOW: '' }, { timings: { cancelWindowMs: 120_000 } }],
    [{ BILLING_CHECK_EVERY: '1s' }, { timings: { billingCheckEveryMs: 1_000 } }],
    [{ BILLING_CHECK_EVERY: '24h' }, { timings: { billingCheckEveryMs: 86_400_000 } }],
    [{ BILLING_WARN: '5.5d', BILLING_CRITICAL: '5.25d' }, { alerts: { warn: '5.5d', critical: '5.25d' } }],
    [{ BILLING_WARN: '500', BILLING_CRITICAL: '200.5' }, { alerts: { warn: '500', critical: '200.5' } }],
    [{ BILLING_CHANNELS: 'C01 G2' }, { alerts: { channels: ['C01', 'G2'] } }],
    [{ BILLING_ESCALATE_TO: 'U01,W2' }, { alerts: { escalateTo: ['U01', 'W2'] } }],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
    [
      { HOST: '', PORT: '', LOG_LEVEL: '' },
      { host: '127.0.0.1', port: 3000, logLevel: 'info' },
    ],
  ] as const)('%j', (env, config) => {
    expect(loadConfig({ ...ENOUGH, ...env })).toMatchObject(config);
  });
});

const ID_FAULT = 'must be ids of Slack workspaces like T012ABCDEF, or of organizations like E012ABCDEF';

describe('several workspaces', () => {
  test('are those of SLACK_TEAMS, each with a token of its own', () => {
    const { slack, secrets } = loadConfig({ ...ENOUGH, ...SEVERAL });
    expect(slack).toMatchObject({
      botToken: '',
      install: {
        teams: ['T0LANTERN01', 'T0QUARRY001'],
        clientId: SEVERAL.SLACK_CLIENT_ID,
        clientSecret: SEVERAL.SLACK_CLIENT_SECRET,
        publicUrl: SEVERAL.SLACK_PUBLIC_URL,
        tokenKeys: SEVERAL.LAMPLIGHTER_TOKEN_KEYS,
      },
    });
    expect(secrets).toEqual(expect.arrayContaining([SEVERAL.SLACK_CLIENT_SECRET, KEY]));
    expect(secrets).not.toContain('');
  });

  test('may be all of an organization', () => {
    const { slack } = loadConfig({ ...ENOUGH, ...SEVERAL, SLACK_TEAMS: 'E0LANTERN01,T0QUARRY001' });
    expect(slack.install?.teams).toEqual(['E0LANTERN01', 'T0QUARRY001']);
  });

  test.each(['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_PUBLIC_URL', 'LAMPLIGHTER_TOKEN_KEYS'])(
    'need %s',
    (name) => {
      const fault = `configuration: ${name} is missing, and SLACK_TEAMS needs it`;
      expect(faults({ ...SEVERAL, [name]: undefined })).toBe(fault);
    },
  );

  test('are refused beside the token of one, and beside Socket Mode', () => {
    expect(faults({ ...SEVERAL, SLACK_BOT_TOKEN: 'xoxb-1234-5678' })).toBe(
      "configuration: SLACK_BOT_TOKEN can't be set beside SLACK_TEAMS: each workspace gets a token of its own",
    );
    expect(faults({ ...SEVERAL, SLACK_APP_TOKEN: 'xapp-12345678' })).toBe(
      "configuration: SLACK_APP_TOKEN can't be set beside SLACK_TEAMS: several workspaces need HTTP",
    );
  });

  test.each([
    ['SLACK_TEAMS', 'lantern', ID_FAULT],
    ['SLACK_TEAMS', 'T0LANTERN01 C0OPS000001', ID_FAULT],
    ['SLACK_TEAMS', ',', 'must name a workspace'],
    ['SLACK_CLIENT_ID', 'abc', 'must be a client id like 1234567890.1234567890'],
    ['SLACK_PUBLIC_URL', 'http://lamplighter.example.com', 'must be an https URL without a query'],
    ['SLACK_PUBLIC_URL', 'https://h.example/?a=1', 'must be an https URL without a query'],
    ['LAMPLIGHTER_TOKEN_KEYS', KEY, 'must be a name and 32 bytes in base64 for each key, as in 2026a:BASE64'],
    ['LAMPLIGHTER_TOKEN_KEYS', `a:${KEY},a:${KEY}`, 'must have a different name for each key'],
  ])('say what is wrong with %s %j', (name, value, fault) => {
    expect(faults({ ...SEVERAL, [name]: value })).toBe(`configuration: ${name} ${fault}`);
  });

  test('can be tried without https on this machine alone', () => {
    const here = loadConfig({ ...ENOUGH, ...SEVERAL, SLACK_PUBLIC_URL: 'http://localhost:3000' });
    expect(here.slack.install?.publicUrl).toBe('http://localhost:3000');
  });
});

const ENCODED =
  'has a character before its host that must be percent-encoded: %40 for @, %2F for /, %3F for ?, %23 for # and %25 for %';
const OPTIONS =
  'must have no options behind a ? but db and family: REDIS_PREFIX says what stands before each key';
const REDIS = 'must be a URL like redis://127.0.0.1:6379/1, with a port of at most 65535';
const BASE = 'must have no user, no password and nothing behind a ? or # in it';
const MAIL_SERVER = 'must be an smtps or smtp URL with a host, whose user and password have %25 for a %';

describe('the fault of', () => {
  test.each([
    ['SLACK_BOT_TOKEN', undefined, 'is missing'],
    ['SLACK_BOT_TOKEN', '', 'is missing'],
    ['SLACK_BOT_TOKEN', 'short', 'is too short to be real'],
    ['SLACK_BOT_TOKEN', 'xoxb-1234 5678', 'must be printable ASCII without spaces'],
    ['SLACK_SIGNING_SECRET', undefined, 'is needed unless SLACK_APP_TOKEN turns Socket Mode on'],
    ['SLACK_API_URL', 'slack.com', 'must be an http or https URL'],
    ['SLACK_API_URL', 'ftp://slack.com', 'must be an http or https URL'],
    ['SLACK_COMMAND_PREFIX', 'Staging ', 'may hold up to 20 of a-z, 0-9, _ and -'],
    ['HOSTING_API_URL', 'javascript:alert(1)', 'must be an http or https URL'],
    ['HOSTING_API_TOKEN', undefined, 'is missing'],
    ['HOSTING_API_TOKEN', 'a\r\nx: y', 'must be printable ASCII without spaces'],
    ['REDIS_URL', 'redis://:a%zz@h', ENCODED],
    ['REDIS_URL', 'redis://u:%FF@h', ENCODED],
    ['REDIS_URL', 'redis+sentinel://:a%@h/m', ENCODED],
    ['REDIS_URL', 'redis://h?keyPrefix=a', OPTIONS],
    ['REDIS_URL', '/run/x.sock?db=1&keyPrefix=a', OPTIONS],
    ['REDIS_URL', 'rediss://h/1?password=%', OPTIONS],
    ['REDIS_URL', 'redis://h%:1', 'must have the name or the address of a host'],
    ['REDIS_URL', 'redis://', 'must have the name or the address of a host'],
    ['REDIS_URL', '//h:6379', 'must be a redis:// or rediss:// URL or a socket path'],
    ['REDIS_URL', 'redis://h:65536', REDIS],
    ['REDIS_URL', 'redis://::1:6379', REDIS],
    ['REDIS_URL', 'redis://h?db=one', OPTIONS],
    ['REDIS_URL', 'redis://h?family=7', OPTIONS],
    ['SLACK_API_URL', 'https://slack.com/api?a=1', BASE],
    ['HOSTING_API_URL', 'https://user:password@h', BASE],
    ['HOSTING_API_URL', 'https://h/v1?tenant=1', BASE],
    ['HOSTING_API_URL', 'https://h/v1#top', BASE],
    [
      'HOSTING_LOGIN_URL',
      'https://user:password@h',
      'must have no user, no password and nothing behind a # in it',
    ],
    ['SMTP_URL', 'smtps://u:%FF@mail', MAIL_SERVER],
    ['SMTP_URL', 'smtp://u%:p@mail', MAIL_SERVER],
    ['HTTPS_PROXY', 'http://u:p%@proxy:3128', ENCODED],
    ['REDIS_URL', 'http://redis', 'must be a redis:// or rediss:// URL or a socket path'],
    [
      'HTTPS_PROXY',
      'socks5://proxy:1080',
      'must be the address of an HTTP proxy like http://proxy.example.com:3128',
    ],
    [
      'HTTPS_PROXY',
      'http://proxy:3128/path',
      'must be the address of an HTTP proxy like http://proxy.example.com:3128',
    ],
    ['HTTPS_PROXY', 'http://bot:pa/ss@proxy:3128', ENCODED],
    ['HTTP_PROXY', 'http://bot@proxy:3128', 'must have a user and a password in it, or neither'],
    ['PORT', 'eighty', 'must be a number from 0 to 65535'],
    ['LAMPLIGHTER_ADMINS', 'ana', 'must be Slack user ids like U012ABCDEF'],
    ['LAMPLIGHTER_EVERYONE', 'root', 'must be one of viewer, operator, finance, admin, none'],
    ['LAMPLIGHTER_ROLE', 'both', 'must be one of all, web, worker'],
    ['LAMPLIGHTER_CANCEL_WINDOW', '5s', 'must be at least 10s'],
    ['LAMPLIGHTER_CANCEL_WINDOW', '9s', 'must be at least 10s'],
    ['LAMPLIGHTER_CANCEL_WINDOW', '0m', 'must be at least 10s'],
    ['LAMPLIGHTER_CANCEL_WINDOW', '2h', 'must be at most 1h'],
    ['LAMPLIGHTER_CANCEL_WINDOW', '61m', 'must be at most 1h'],
    ['LAMPLIGHTER_CANCEL_WINDOW', '3601s', 'must be at most 1h'],
    ['LAMPLIGHTER_CANCEL_WINDOW', 'soon', 'must be a duration like 90s, 2m or 1h'],
    ['LAMPLIGHTER_CANCEL_WINDOW', '-1m', 'must be a duration like 90s, 2m or 1h'],
    ['LAMPLIGHTER_CANCEL_WINDOW', '120', 'must be a duration like 90s, 2m or 1h'],
    ['LAMPLIGHTER_CANCEL_WINDOW', '1.5m', 'must be a duration like 90s, 2m or 1h'],
    ['LAMPLIGHTER_CANCEL_WINDOW', '2 m', 'must be a duration like 90s, 2m or 1h'],
    ['LAMPLIGHTER_CANCEL_WINDOW', '1d', 'must be a duration like 90s, 2m or 1h'],
    ['LAMPLIGHTER_CANCEL_WINDOW', '2M', 'must be a duration like 90s, 2m or 1h'],
    ['BILLING_CHECK_EVERY', '0s', 'must be at least 1s'],
    ['BILLING_CHECK_EVERY', '25h', 'must be at most 24h'],
    ['BILLING_WARN', '5 days', 'must be like 5d or 500, and more than 0'],
    ['BILLING_WARN', '0d', 'must be like 5d or 500, and more than 0'],
    ['BILLING_CRITICAL', '0.000000', 'must be like 5d or 500, and more than 0'],
    ['BILLING_CHANNELS', '#money', 'must be Slack channel ids like C012ABCDEF'],
    [
      'BILLING_ESCALATE_TO',
      'fin',
      'must be Slack ids of users or user groups, like U012ABCDEF or S012ABCDEF',
    ],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
  ])('%s %j is that it %s', (name, value, fault) => {
    expect(faults({ [name]: value })).toBe(`configuration: ${name} ${fault}`);
  });

  test.each(['-1', '65536', '80.5', '1e9', 'NaN', 'Infinity'])('PORT %s names PORT', (value) => {
    expect(faults({ PORT: value })).toMatch(/^configuration: PORT /);
  });

  test.each([
    ['2d', '5d'],
    ['500', '500.0'],
    ['0.2d', '0.20d'],
  ])('BILLING_WARN %s and BILLING_CRITICAL %s is that one is not below the other', (warn, critical) => {
    expect(faults({ BILLING_WARN: warn, BILLING_CRITICAL: critical })).toBe(
      'configuration: BILLING_CRITICAL must be below BILLING_WARN',
    );
  });

  test.each([
    ['2d', '500'],
    ['500', '2d'],
  ])('BILLING_WARN %s and BILLING_CRITICAL %s is that they can not be compared', (warn, critical) => {
    expect(faults({ BILLING_WARN: warn, BILLING_CRITICAL: critical })).toBe(
      'configuration: BILLING_CRITICAL must count what BILLING_WARN counts: days in both, as in 5d and 2d, or a balance in both',
    );
  });

  test('everything that is wrong is reported at once', () => {
    const said = faults({ SLACK_BOT_TOKEN: undefined, HOSTING_API_URL: 'x', PORT: '-1', LOG_LEVEL: 'x' });
    for (const name of ['SLACK_BOT_TOKEN', 'HOSTING_API_URL', 'PORT', 'LOG_LEVEL'])
      expect(said).toContain(name);
  });
});

test('no fault ever tells a value, whatever the environment holds', () => {
  const CANARY = 'cAnArY7';
  const names = VARIABLES.map((variable) => variable.name);
  const value = fc.oneof(
    fc.string().map((text) => `${text}${CANARY}`),
    fc.constantFrom(
      ` ${CANARY} x`,
      `http://${CANARY} `,
      `redis//:${CANARY}@h`,
      `U1,${CANARY} ä`,
      CANARY,
      `"${CANARY}"`,
      `/${CANARY}`,
      `./${CANARY}`,
      `${CANARY}/${CANARY}=`,
    ),
    anyText().map((text) => `${CANARY}${text}`),
  );
  const env = fc.dictionary(fc.constantFrom(...names, ...names.map((name) => `${name}_FILE`)), value);
  fc.assert(
    fc.property(env, (given) => {
      try {
        loadConfig({ ...ENOUGH, ...given });
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
        const shown = `${String(error)} ${(error as Error).stack} ${JSON.stringify(error)} ${String((error as Error).cause)}`;
        expect(shown).not.toContain(CANARY);
        expect(names.some((name) => (error as Error).message.includes(name))).toBe(true);
      }
    }),
    { numRuns: runs(3_000) },
  );
});

/** Each variable that is an address, by its name. */
const ADDRESSES = VARIABLES.map(({ name }) => name).filter((name) =>
  /_URL$|ENDPOINT$|^HTTPS?_PROXY$|^AUDIT_STREAM$/.test(name),
);
const BEGINS: Record<string, string> = { REDIS_URL: 'rediss', SMTP_URL: 'smtps', HTTP_PROXY: 'http' };

test.each(
  ADDRESSES.flatMap((name) =>
    [
      'u%zzcanary:p@h.example',
      'u:canary%@h.example',
      'u:%FFcanary@h.example/{id}',
      'h.example/canary%',
      'h.example/{id}/canary%zz',
      'h.example/{id}?a=canary%FF',
      'canary%.example/{id}',
    ].map((rest) => [name, `${BEGINS[name] ?? 'https'}://${rest}`] as const),
  ).concat([
    ['REDIS_URL', 'redis+sentinel://canary%.example/m'],
    ['REDIS_URL', 'redis+sentinel://h/m?sentinelPassword=canary%'],
    ['REDIS_URL', 'redis+cluster://canary%,h'],
  ]),
)('%s with what is no escape is refused by that name, and nothing of it is quoted: %s', (name, value) => {
  const several = name === 'SLACK_PUBLIC_URL' ? SEVERAL : {};
  const said = faults({
    ...several,
    BILLING_WEBHOOK_SECRET: name === 'BILLING_WEBHOOK_URL' ? 'k'.repeat(16) : undefined,
    [name]: value,
  });
  expect(said).toMatch(new RegExp(`^configuration: ${name} (?:must|has) `));
  expect(said).not.toMatch(/canary|malformed/);
});

test.each(
  ADDRESSES.flatMap((name) =>
    ['h.exa\nmple/{id}', 'h.example:0/{id}', 'h.example:65536/{id}', 'h exa/{id}'].map(
      (rest) =>
        [name, `${BEGINS[name] ?? 'https'}://${name === 'REDIS_URL' ? rest.slice(0, -5) : rest}`] as const,
    ),
  ),
)('%s that no URL is like, or none that anybody means, is refused by that name: %j', (name, value) => {
  const several = name === 'SLACK_PUBLIC_URL' ? SEVERAL : {};
  const webhook = { BILLING_WEBHOOK_SECRET: name === 'BILLING_WEBHOOK_URL' ? 'k'.repeat(16) : undefined };
  expect(faults({ ...several, ...webhook, [name]: value })).toMatch(
    new RegExp(`^configuration: ${name} (?:must|has) `),
  );
});

test('two addresses where one is meant are refused', () => {
  expect(faults({ HEARTBEAT_URL: 'https://one.example.com,https://two.example.com' })).toContain(
    'HEARTBEAT_URL must be one address',
  );
});

test('an address may be one of IPv6, and have a port', () => {
  const url = 'https://[2001:db8::1]:8443/ping';
  expect(
    loadConfig({ ...ENOUGH, HEARTBEAT_URL: url, REDIS_URL: 'redis://[::1]:6380/1?family=6' }),
  ).toMatchObject({
    heartbeatUrl: url,
  });
});

test('an address may have escapes, and a % that is one', () => {
  const url = 'https://hooks.example.com/%25/%C3%BC?a=%7B';
  expect(loadConfig({ ...ENOUGH, HEARTBEAT_URL: url, AUDIT_STREAM: url })).toMatchObject({
    heartbeatUrl: url,
  });
});

test('whatever bad value one variable has, the fault names that variable', () => {
  // A host is any text, and so is the name of an instance.
  const optional = new Set(['HOST', 'NO_PROXY', 'LAMPLIGHTER_PROTECTED', 'LAMPLIGHTER_APPROVE']);
  fc.assert(
    fc.property(
      fc.constantFrom(...VARIABLES.map((one) => one.name).filter((name) => !optional.has(name))),
      anyText({ minLength: 1 }).map((text) => `${text}\u0000ü `),
      (name, value) => {
        expect(faults({ [name]: value })).toContain(name);
      },
    ),
    { numRuns: runs(1_000) },
  );
});

test.each([
  [{ BILLING_WEBHOOK_URL: 'http://hooks.example.com/1' }, 'BILLING_WEBHOOK_URL must be an https URL'],
  [{ BILLING_WEBHOOK_URL: 'https://hooks.example.com/1' }, 'BILLING_WEBHOOK_SECRET is missing'],
  [{ BILLING_WEBHOOK_SECRET: 'too-short' }, 'BILLING_WEBHOOK_SECRET is too short'],
  [{ BILLING_MAIL_TO: 'money@example.com' }, 'SMTP_URL is missing, and BILLING_MAIL_TO needs it'],
  [{ BILLING_MAIL_TO: 'money' }, 'BILLING_MAIL_TO must be addresses like money@example.com'],
  [{ SMTP_URL: 'https://mail.example.com' }, 'SMTP_URL must be an smtps or smtp URL with a host'],
])('where alerts go outside of Slack is refused: %j', (env, fault) => {
  expect(() => loadConfig({ ...ENOUGH, ...env })).toThrow(fault);
});

describe('a secret in a file', () => {
  // What is in PEM has tests of its own, as a certificate and its key only count together.
  const secrets = VARIABLES.filter(({ name, secret }) => secret && !/_(CLIENT|SIGNING)_/.test(name)).map(
    (variable) => variable.name,
  );
  const OTHERWISE: Env = {
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=from-a-file-1234',
    REDIS_URL: 'redis://:from-a-file@h:1',
    LAMPLIGHTER_TOKEN_KEYS: `2026a:${KEY}`,
    HEARTBEAT_URL: 'https://monitor.example.com/ping/1234',
    BILLING_WEBHOOK_URL: 'https://hooks.example.com/from-a-file',
    SMTP_URL: 'smtps://bot:from-a-file@mail.example.com',
  };
  const BESIDE: Readonly<Record<string, Env>> = {
    BILLING_WEBHOOK_URL: { BILLING_WEBHOOK_SECRET: 'another-long-text' },
    BILLING_WEBHOOK_SECRET: { BILLING_WEBHOOK_URL: 'https://hooks.example.com/' },
  };

  test.each(secrets)('is read: %s_FILE', (name) => {
    const value = OTHERWISE[name] ?? 'from-a-file-1234';
    const env = { ...ENOUGH, ...BESIDE[name], [name]: undefined, [`${name}_FILE`]: file(`${value}\n`) };
    expect(JSON.stringify(loadConfig(env))).toContain(value);
  });

  test.each(secrets)('that is not there is a fault that names %s_FILE and not the path', (name) => {
    const said = faults({ [name]: undefined, [`${name}_FILE`]: '/nowhere/cAnArY' });
    expect(said).toContain(`${name}_FILE can't be read`);
    expect(said).not.toContain('cAnArY');
  });

  test('gives way to the variable itself, and what is no secret has no file', () => {
    expect(loadConfig({ ...ENOUGH, SLACK_BOT_TOKEN_FILE: '/nowhere' }).slack.botToken).toBe('xoxb-1234-5678');
    expect(loadConfig({ ...ENOUGH, PORT_FILE: file('80') }).port).toBe(3000);
  });

  test('that holds nonsense is a fault like any other', () => {
    const said = faults({ SLACK_BOT_TOKEN: undefined, SLACK_BOT_TOKEN_FILE: file('two words cAnArY') });
    expect(said).toBe('configuration: SLACK_BOT_TOKEN must be printable ASCII without spaces');
  });
});

describe('a policy file', () => {
  const named = (content: string): string => {
    const path = join(mkdtempSync(join(folder, 'policy-')), 'policy.yaml');
    writeFileSync(path, content);
    return path;
  };

  test('is read, with its name, and wins over the variables that it fixes; approvals of both count', () => {
    const config = loadConfig({
      ...ENOUGH,
      LAMPLIGHTER_EVERYONE: 'admin',
      LAMPLIGHTER_PROTECTED: 'web-1',
      LAMPLIGHTER_APPROVE: '101',
      LAMPLIGHTER_POLICY: named(
        'everyone: viewer\nprotected: [db-*]\napprovals: [{ on: [db-*], for: [stop] }]',
      ),
    });
    expect(config).toMatchObject({
      everyone: 'viewer',
      protectedInstances: ['db-*'],
      approvals: [{ on: ['101'] }, { on: ['db-*'], for: ['stop'] }],
      policy: { name: 'policy.yaml' },
    });
  });

  test('leaves to the variables what it leaves out', () => {
    const over = { LAMPLIGHTER_EVERYONE: 'viewer', LAMPLIGHTER_PROTECTED: 'web-1' };
    const config = loadConfig({ ...ENOUGH, ...over, LAMPLIGHTER_POLICY: named('roles: {}') });
    expect(config).toMatchObject({
      everyone: 'viewer',
      protectedInstances: ['web-1'],
      policy: { grants: [] },
    });
    expect(config.approvals).toEqual([]);
  });

  test('with faults is one that names the file and each line, beside what else is wrong', () => {
    const path = named('everyone: boss\n\nroels: {}\n');
    expect(faults({ LAMPLIGHTER_POLICY: path, PORT: '-1' })).toBe(
      'configuration: PORT must be a number from 0 to 65535; LAMPLIGHTER_POLICY has a fault in policy.yaml, line 1: everyone must be one of viewer, operator, finance, admin and none; LAMPLIGHTER_POLICY has a fault in policy.yaml, line 3: "roels" is not known here. There are people, everyone, roles, protected, channels, approvals, oncall, holidays, costgroups',
    );
  });

  test('that is not there, or is a folder, is a fault that tells the path', () => {
    for (const [path, why] of [
      [join(folder, 'none.yml'), 'there is no such file'],
      [join(folder, 'none.yaml'), 'there is no such file'],
      [join(named('everyone: none'), 'policy.json'), 'there is no such file'],
      [folder, 'it is a folder'],
    ])
      expect(faults({ LAMPLIGHTER_POLICY: path })).toBe(
        `configuration: LAMPLIGHTER_POLICY can't be read at ${path}: ${why}`,
      );
  });
});

describe('the signing secret', () => {
  const without = { ...ENOUGH, SLACK_SIGNING_SECRET: undefined };
  test('is not needed with Socket Mode, nor by a worker', () => {
    expect(loadConfig({ ...without, SLACK_APP_TOKEN: 'xapp-12345678' }).slack.signingSecret).toBeUndefined();
    expect(loadConfig({ ...without, LAMPLIGHTER_ROLE: 'worker' }).slack.signingSecret).toBeUndefined();
  });
  test('is needed by a process that listens over HTTP', () => {
    for (const role of ['all', 'web']) {
      expect(() => loadConfig({ ...without, LAMPLIGHTER_ROLE: role })).toThrow(
        /SLACK_SIGNING_SECRET is needed/,
      );
    }
  });
});

test('every secret is handed to the redactor, the passwords of Redis and of a proxy too', () => {
  const config = loadConfig({
    ...ENOUGH,
    SLACK_APP_TOKEN: 'xapp-12345678',
    REDIS_URL: 'rediss://user:r3dis-pass@h:6379/0',
    HTTPS_PROXY: 'http://bot:pr%40xy-pass@proxy:3128',
  });
  expect([...new Set(config.secrets)]).toEqual([
    'xoxb-1234-5678',
    '8f742231b10e8888',
    'xapp-12345678',
    'oc_live_abc',
    'r3dis-pass',
    'pr%40xy-pass',
    'pr@xy-pass',
    // As it is sent.
    Buffer.from('bot:pr@xy-pass').toString('base64'),
  ]);
  expect(loadConfig({ ...ENOUGH, HTTPS_PROXY: 'bot:pr0xy-pass@proxy:3128' }).secrets).toContain('pr0xy-pass');
});

describe('a client certificate', () => {
  const { cert, key } = selfSigned('lamplighter');
  const other = selfSigned('lamplighter');
  const passphrase = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const;
  const locked = createPrivateKey(key).export(passphrase).toString();

  test('is read from two files, and its key shows nowhere', () => {
    const config = loadConfig({
      ...ENOUGH,
      HOSTING_API_CLIENT_CERT_FILE: file(cert),
      HOSTING_API_CLIENT_KEY_FILE: file(key),
    });
    expect(config.hosting.clientCertificate).toEqual({ cert: cert.trim(), key: key.trim() });
    expect(config.secrets).toContain(key.trim());
  });

  test.each([
    [
      { HOSTING_API_CLIENT_CERT: cert },
      'HOSTING_API_CLIENT_KEY is missing, and HOSTING_API_CLIENT_CERT needs it',
    ],
    [
      { HOSTING_API_CLIENT_KEY: key },
      'HOSTING_API_CLIENT_CERT is missing, and HOSTING_API_CLIENT_KEY needs it',
    ],
    [
      { HOSTING_API_CLIENT_CERT: cert, HOSTING_API_CLIENT_KEY: other.key },
      'HOSTING_API_CLIENT_KEY is not the key of HOSTING_API_CLIENT_CERT',
    ],
    [
      { HOSTING_API_CLIENT_CERT: key, HOSTING_API_CLIENT_KEY: key },
      'HOSTING_API_CLIENT_CERT must be a certificate in PEM',
    ],
    [
      { HOSTING_API_CLIENT_CERT: cert, HOSTING_API_CLIENT_KEY: locked },
      'HOSTING_API_CLIENT_KEY must be a private key in PEM, without a passphrase',
    ],
  ])('that the bot can not use is a fault of its own: %#', (env, fault) => {
    expect(faults(env)).toBe(`configuration: ${fault}`);
  });
});
