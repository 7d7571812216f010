import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { loadConfig } from '../src/app/config/config.ts';
import { unquoted } from '../src/app/config/values.ts';
import { loadSetups } from '../src/app/load-adapter.ts';
import { PURE_RUNS } from './support/runs.ts';

const ENOUGH = {
  SLACK_BOT_TOKEN: 'xoxb-1234-5678',
  SLACK_SIGNING_SECRET: '8f742231b10e8888',
  HOSTING_API_URL: 'https://api.example.test',
  HOSTING_API_TOKEN: 'oc_live_abc',
  LAMPLIGHTER_ADMINS: 'U0ADA000001',
};
type Env = Readonly<Record<string, string>>;

/** What the bot says where it does not start. */
async function refusal(env: Env): Promise<string> {
  return loadSetups({ ...ENOUGH, ...env }).then(
    () => 'it starts',
    (error: unknown) => String(error),
  );
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'written-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('what stands in quotation marks is taken without them', () => {
  test.each<[Env, object]>([
    [{ LAMPLIGHTER_PROTECTED: '"prod-*"' }, { protectedInstances: ['prod-*'] }],
    [{ LAMPLIGHTER_PROTECTED: "'prod-*, db-1'" }, { protectedInstances: ['prod-*', 'db-1'] }],
    [{ LAMPLIGHTER_PROTECTED: '"prod-*", "db-1"' }, { protectedInstances: ['prod-*', 'db-1'] }],
    [{ LAMPLIGHTER_PROTECTED: `'"prod-*" "db-1"'` }, { protectedInstances: ['prod-*', 'db-1'] }],
    [{ LAMPLIGHTER_APPROVE: '"prod-*"' }, { approvals: [{ on: ['prod-*'] }] }],
    [{ LAMPLIGHTER_ADMINS: '"U0ADA000001"' }, { admins: ['U0ADA000001'] }],
    [
      { LAMPLIGHTER_EVERYONE: '"viewer"', PORT: "'3001'" },
      { everyone: 'viewer', port: 3001 },
    ],
    [{ REDIS_URL: '"redis://:pw123456@r:1/2"' }, { redis: { url: 'redis://:pw123456@r:1/2' } }],
    [{ LAMPLIGHTER_EVERYONE: '""' }, { everyone: 'none' }],
  ])('%j', (env, config) => {
    expect(loadConfig({ ...ENOUGH, ...env })).toMatchObject(config);
  });

  it('in the file of a secret as well', () => {
    const config = loadConfig({
      ...ENOUGH,
      HOSTING_API_TOKEN: '',
      HOSTING_API_TOKEN_FILE: file('key', '"oc_live_file"\n'),
    });
    expect(config.hosting.token).toBe('oc_live_file');
  });

  it('and marks that are no pair stay, whatever the text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-c]{1,5}$/), fc.constantFrom('"', "'"), (text, quote) => {
        expect(unquoted(` ${quote}${text}${quote} `)).toBe(text);
        for (const other of [`${quote}${text}`, `${text}${quote}`, `${quote}a${quote}${text}${quote}`])
          expect(unquoted(other)).toBe(other);
      }),
      { numRuns: PURE_RUNS / 20 },
    );
  });
});

describe('a variable that there is none of', () => {
  test.each([
    ['LAMPLIGHTER_PROTECT', 'LAMPLIGHTER_PROTECTED'],
    ['LAMPLIGHTER_PROTECTED_INSTANCES', 'LAMPLIGHTER_PROTECTED'],
    ['lamplighter_protected', 'LAMPLIGHTER_PROTECTED'],
    ['LAMPLIGHTER_APPROVALS', 'LAMPLIGHTER_APPROVE'],
    ['HOSTING_PROTECTED', 'LAMPLIGHTER_PROTECTED'],
    ['LAMPLIGHTER_POLICY_FILE', 'LAMPLIGHTER_POLICY'],
  ])('%s was to be %s, without which something is open, so the bot does not start', async (name, meant) => {
    expect(await refusal({ [name]: 'prod-*' })).toContain(
      `${name} is not a variable. Did you mean ${meant}?`,
    );
  });

  test.each([
    ['LAMPLIGHTER_ADMIN', ' Did you mean LAMPLIGHTER_ADMINS?'],
    ['SLACK_TOKEN', ' Did you mean SLACK_BOT_TOKEN?'],
    ['BILLING_CHANEL', ' Did you mean BILLING_CHANNELS?'],
    ['REDIS_PASSWORD', ''],
  ])('%s is said, and the bot starts', (name, meant) => {
    const { what, todo } = loadConfig({ ...ENOUGH, [name]: 'x-canary' }).doubts.ofBot[0]!;
    expect(what).toBe(`${name} is not a variable.${meant}`);
    expect(todo).toBe('Nobody reads it: rename it, or take it out.');
  });

  test.each(['REDIS_SERVICE_HOST', 'REDIS_PORT_6379_TCP_ADDR', 'LAMPLIGHTER_PORT', 'SLACKER', 'REDIS_X'])(
    '%s is nobody’s fault where a platform sets it, or where it is empty',
    (name) => {
      const value = name === 'REDIS_X' ? '' : 'tcp://10.0.0.1:6379';
      expect(loadConfig({ ...ENOUGH, [name]: value }).doubts.ofBot).toEqual([]);
    },
  );
});

describe('a variable that there is none of any more', () => {
  test.each([
    ['BILLING_UNIT', 'name an adapter in HOSTING_SERVICE that says billing.unit'],
    ['BILLING_UNKNOWN_AFTER', 'it is half an hour'],
    ['SLACK_STATE_SECRET', 'it follows from SLACK_CLIENT_SECRET'],
    ['SLACK_STATE_SECRET_FILE', 'it follows from SLACK_CLIENT_SECRET'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'into OTEL_EXPORTER_OTLP_ENDPOINT'],
  ])('%s is said with what to do now, and the bot starts', (name, todo) => {
    expect(loadConfig({ ...ENOUGH, [name]: 'x-canary' }).doubts.ofBot).toEqual([
      { what: `${name} is no variable any more.`, todo: expect.stringContaining(todo) },
    ]);
  });

  test.each(['HOSTING_API_AUTH_HEADER', 'HOSTING_API_AUTH_SCHEME'])(
    '%s is refused, since every call would be',
    async (name) => {
      const said = await refusal({ [name]: 'x-canary' });
      expect(said).toContain(`${name} is no variable any more. Take it out, and where it was not`);
      expect(said).not.toContain('canary');
    },
  );

  it('is told in the file of accounts too', async () => {
    const settings =
      '{ accounts: [{ name: a, url: "https://a.example", key: k, settings: { BILLING_UNIT: x } }] }';
    expect(await refusal({ HOSTING_ACCOUNTS: file('gone.yaml', settings) })).toContain(
      'BILLING_UNIT is no variable any more. Take it out',
    );
  });
});

describe('what can hardly be meant is said', () => {
  test.each<[Env, string]>([
    [{ LAMPLIGHTER_PROTECTED: ',' }, 'LAMPLIGHTER_PROTECTED is set, but nothing stands in it.'],
    [{ LAMPLIGHTER_APPROVE: '", "' }, 'LAMPLIGHTER_APPROVE is set, but nothing stands in it.'],
    [{ BILLING_ESCALATE_TO: ' , , ' }, 'BILLING_ESCALATE_TO is set, but nothing stands in it.'],
    [{ LAMPLIGHTER_ADMINS: '' }, 'There is no admin, so nobody can give roles or answer who asks for one.'],
  ])('%j', (env, what) => {
    expect(loadConfig({ ...ENOUGH, ...env }).doubts.ofAccount).toMatchObject([{ what }]);
  });

  it('a proxy that is not used, without its address', () => {
    for (const name of ['ALL_PROXY', 'all_proxy']) {
      const doubts = loadConfig({ ...ENOUGH, [name]: 'http://user:canary@proxy:3128' }).doubts.ofBot;
      expect(doubts).toMatchObject([{ what: expect.stringMatching(`^${name} is set, but I don't read it`) }]);
      expect(JSON.stringify(doubts)).not.toContain('canary');
    }
  });

  it('a variable that the policy file takes the place of', () => {
    const policy = file('p.yaml', 'protected: [db-*]\n');
    const doubts = loadConfig({
      ...ENOUGH,
      LAMPLIGHTER_POLICY: policy,
      LAMPLIGHTER_PROTECTED: 'prod-*',
    }).doubts;
    expect(doubts.ofAccount[0]?.what).toBe(
      "LAMPLIGHTER_PROTECTED doesn't count: p.yaml says what is protected.",
    );
  });
});

describe('the address of Redis is refused', () => {
  const ENCODED = 'REDIS_URL has a character before its host that must be percent-encoded';
  test.each([
    ['redis://127.0.0.1:6379/abc', 'REDIS_URL must end in the number of a database or in none'],
    ['redis://127.0.0.1:6379/0/1', 'REDIS_URL must end in the number of a database or in none'],
    ['redis://127.0.0.1:6379/-1', 'REDIS_URL must end in the number of a database or in none'],
    ['redis://:swan@canary@redis:6379', ENCODED],
    ['redis://user:swan@canary@redis:6379/0', ENCODED],
    ['redis://:swan#canary@redis:6379', ENCODED],
    ['redis://:12/canary@redis:6379', ENCODED],
    ['rediss://:12?canary@redis:6379', ENCODED],
    ['redis://:swan%zzcanary@redis:6379', ENCODED],
    ['redis://redis:port', 'REDIS_URL must be a URL'],
  ])('%s, and nothing of it is quoted', async (REDIS_URL, words) => {
    const said = await refusal({ REDIS_URL });
    expect(said).toContain(words);
    expect(said).not.toMatch(/canary|swan/);
  });
});

test.each(['xoxe.xoxb-1-canary123456', 'xoxe-1-canary123456'])(
  'a token that ends after twelve hours is refused: %s',
  async (SLACK_BOT_TOKEN) => {
    const said = await refusal({ SLACK_BOT_TOKEN });
    expect(said).toContain("SLACK_BOT_TOKEN ends after 12 hours (xoxe), and I can't renew it");
    expect(said).not.toContain('canary');
  },
);

describe('all faults are said at once, each where it stands', () => {
  it('of variables, a policy file and an account file', async () => {
    const said = await refusal({
      PORT: 'eighty',
      SLACK_SIGNING_SECRET: '',
      BILLING_WARN: '2d',
      BILLING_CRITICAL: '5d',
      LAMPLIGHTER_PROTECT: 'prod-*',
      LAMPLIGHTER_POLICY: file('policy.yaml', 'everyone: none\nprotect: [a]\n'),
      HOSTING_ACCOUNTS: file(
        'accounts.yaml',
        `accounts:
  - name: acme
    service: hetznr
    key: oc_canary_1
    settings: { LAMPLIGHTER_PROTECT: 'x', BILLING_CURRENCY: 'much too long for a currency' }
  - name: labs
    service: hetzner
    color: blue
  - service: vultr
    key: oc_canary_2
`,
      ),
    });
    for (const words of [
      'PORT must be a number',
      'SLACK_SIGNING_SECRET is needed',
      'BILLING_CRITICAL must be below BILLING_WARN',
      'LAMPLIGHTER_PROTECT is not a variable. Did you mean LAMPLIGHTER_PROTECTED?',
      'LAMPLIGHTER_POLICY has a fault in policy.yaml, line 2: "protect" is not known here',
      'HOSTING_ACCOUNTS has a fault in accounts.yaml, line 3, column 5: service is none that I know',
      'line 5, column 17: this is not a variable. Did you mean LAMPLIGHTER_PROTECTED?',
      'line 5, column 43: BILLING_CURRENCY must be a code like USD',
      'line 6, column 5: this has a key that there is none of; there are name, service',
      'line 9, column 5: name is missing',
    ])
      expect(said).toContain(words);
    expect(said).not.toContain('canary');
    expect(said.match(/PORT must be/g)).toHaveLength(1);
  });

  it('also of a service that there is none of, and of verbs that a service has not', async () => {
    const said = await refusal({
      HOSTING_SERVICE: 'hetzner',
      LAMPLIGHTER_EVERYONE: 'all',
      LAMPLIGHTER_POLICY: file('verbs.yaml', 'approvals:\n  - on: [prod-*]\n    for: [restart, reboot]\n'),
    });
    expect(said).toContain('LAMPLIGHTER_EVERYONE must be one of');
    expect(said).toContain('LAMPLIGHTER_POLICY has a fault in verbs.yaml, line 3: "reboot" is not a verb');
    expect(await refusal({ HOSTING_SERVICE: 'hetznr', LAMPLIGHTER_EVERYONE: 'all' })).toMatch(
      /LAMPLIGHTER_EVERYONE must be one of.*; HOSTING_SERVICE names no service that I know: there is no adapter hetznr/,
    );
  });

  test.each([
    [
      'LAMPLIGHTER_POLICY',
      '/nowhere/policy.yaml',
      "can't be read at /nowhere/policy.yaml: there is no such file",
    ],
    ['LAMPLIGHTER_POLICY', '/', "can't be read at /: it is a folder"],
    ['HOSTING_ACCOUNTS', '/nowhere/acc.yml', "can't be read at /nowhere/acc.yml: there is no such file"],
    ['HOSTING_ACCOUNTS', 'accounts: [{ name: a, key: oc_canary }]', "can't be read: there is no such file"],
    ['REDIS_URL_FILE', '/nowhere/canary', "can't be read: there is no such file"],
  ])('%s=%s names what can not be read', async (name, value, words) => {
    const said = await refusal({ [name]: value });
    expect(said).toContain(`${name} ${words}`);
    expect(said).not.toContain('canary');
  });
});
