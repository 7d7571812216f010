import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { loadAccounts } from '../../src/app/config/accounts.ts';
import { ConfigError } from '../../src/app/config/config.ts';
import { readAccounts } from '../../src/app/config/accounts-file.ts';
import { takeNames } from '../../src/core/accounts/choose.ts';
import { PURE_RUNS } from '../support/runs.ts';

const ENOUGH = { SLACK_BOT_TOKEN: 'xoxb-1234-5678', SLACK_SIGNING_SECRET: '8f742231b10e8888' };
const SECRET = 'hcloud-cAnArY7-secret';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'accounts-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function load(
  accounts: unknown,
  env: Readonly<Record<string, string>> = {},
): ReturnType<typeof loadAccounts> {
  const path = join(folder, 'accounts.yaml');
  writeFileSync(path, typeof accounts === 'string' ? accounts : JSON.stringify({ accounts }));
  return loadAccounts({ ...ENOUGH, HOSTING_ACCOUNTS: path, ...env });
}

it('each account has its own service, key and settings, and the rest is as the variables have it', () => {
  writeFileSync(join(folder, 'key'), `${SECRET}\n`);
  const [acme, labs] = load(
    [
      {
        name: 'acme',
        service: 'hetzner',
        key_file: join(folder, 'key'),
        settings: { LAMPLIGHTER_PROTECTED: 'db-*' },
      },
      { name: 'labs', service: 'vultr', key: 'vultr-key', people: ['U0ANA000001'] },
    ],
    { LAMPLIGHTER_PROTECTED: 'prod-*', LAMPLIGHTER_ADMINS: 'U0ADA000001', HOSTING_API_TOKEN: 'of-nobody' },
  );
  expect(acme?.config.hosting).toMatchObject({ service: 'hetzner', token: SECRET, url: undefined });
  expect(acme?.config.protectedInstances).toEqual(['db-*']);
  expect(labs?.config.protectedInstances).toEqual(['prod-*']);
  expect(labs?.account).toMatchObject({ name: 'labs', people: ['U0ANA000001'], always: ['U0ADA000001'] });
  // What one account says or logs must not give away the other's key.
  expect(labs?.config.secrets).toContain(SECRET);
});

test.each<[string, unknown, RegExp]>([
  ['that is no YAML', 'accounts: [', /accounts\.yaml, line 1.*never closed/],
  ['without accounts', 'accounts: []', /accounts must have at least one/],
  ['with a name that a filter begins with', [{ name: 'status', key: SECRET }], /name must not be status/],
  ['with a name of other letters', [{ name: 'Ac me', key: SECRET }], /name must be 1 to 20/],
  [
    'with a name twice',
    [
      { name: 'a', key: SECRET },
      { name: 'a', key: 'other-key' },
    ],
    /line 1, column \d+: another account has this name/,
  ],
  [
    'with a field that there is none of',
    [{ name: 'a', key: SECRET, token: 'x' }],
    /has a key that there is none of/,
  ],
  ['without a key', [{ name: 'a', service: 'hetzner' }], /accounts\.yaml, line 1, column 14: key is missing/],
  ['with a service that has no address', [{ name: 'a', key: SECRET }], /line 1, column 14: url is missing/],
  [
    'with the same key twice',
    [
      { name: 'a', service: 'vultr', key: SECRET },
      { name: 'b', service: 'vultr', key: SECRET },
    ],
    /another account has the same key/,
  ],
  [
    'with a setting of the whole bot',
    [{ name: 'a', service: 'vultr', key: SECRET, settings: { REDIS_URL: 'redis://x' } }],
    /line 1, column \d+: REDIS_URL is the whole bot's/,
  ],
  [
    'with a default outside its channels',
    [{ name: 'a', key: SECRET, channels: ['C0OPS000001'], default_in: ['C0BILLING01'] }],
    /default_in has a channel that channels lacks/,
  ],
  [
    'with a workspace that may not install the bot',
    [{ name: 'a', service: 'vultr', key: SECRET, workspaces: ['T0STRANGE99'] }],
    /workspaces names one that SLACK_TEAMS lacks/,
  ],
])('the bot does not start with a file %s, and says where and no value', (_, accounts, words) => {
  let fault: unknown;
  try {
    load(accounts);
  } catch (error) {
    fault = error;
  }
  expect(fault).toBeInstanceOf(ConfigError);
  expect(String(fault)).toMatch(words);
  expect(String(fault)).not.toContain('cAnArY7');
});

it('whatever the file, it is read or each fault has a line', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.jsonValue().map((accounts) => JSON.stringify({ accounts })),
      ),
      (text) => {
        const read = readAccounts(text);
        for (const { line, what } of read.faults) expect([line > 0, what.length > 0]).toEqual([true, true]);
        if (read.faults.length === 0) expect(read.accounts.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: PURE_RUNS / 10 },
  );
});

it('of whatever is typed, only the names of known accounts are taken out', () => {
  const known = ['acme', 'labs'];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('acme:', 'LABS:', 'web-1', 'status:up', ' ', '"', 'x:', 'acmes:', ',')),
      (parts) => {
        const text = parts.join('');
        const { names, rest } = takeNames(text, known);
        expect(names.every((name) => known.includes(name))).toBe(true);
        expect(takeNames(rest, known).names.length === 0 || names.length > 0).toBe(true);
        if (names.length === 0) expect(rest).toBe(text);
      },
    ),
  );
  expect(takeNames('stop acme:web-1,acme:"web 2" -name:x labs-x', known)).toEqual({
    names: ['acme'],
    rest: 'stop web-1,"web 2" -name:x labs-x',
  });
  for (const reason of [
    '--because "labs: is down"',
    '--because labs:down',
    '--override "acme is down, labs: too"',
    'freeze on db-* "labs: an audit"',
    '--because "it is labs:web-1',
  ])
    expect(takeNames(`stop acme:web-1 ${reason}`, known)).toEqual({
      names: ['acme'],
      rest: `stop web-1 ${reason}`,
    });
});

it('each workspace has an account, or the bot does not start', () => {
  const { SLACK_BOT_TOKEN: _, ...enough } = ENOUGH;
  const path = join(folder, 'workspaces.yaml');
  const env = {
    ...enough,
    HOSTING_ACCOUNTS: path,
    SLACK_TEAMS: 'T0LANTERN01,T0QUARRY001',
    SLACK_CLIENT_ID: '1234567890.1234567890',
    SLACK_CLIENT_SECRET: 'client-secret-canary-77',
    SLACK_PUBLIC_URL: 'https://lamplighter.example.com',
    LAMPLIGHTER_TOKEN_KEYS: `a:${Buffer.alloc(32, 'k').toString('base64')}`,
  };
  const acme = { name: 'acme', service: 'vultr', key: SECRET, workspaces: ['T0LANTERN01'] };
  writeFileSync(path, JSON.stringify({ accounts: [acme] }));
  expect(() => loadAccounts(env)).toThrow('HOSTING_ACCOUNTS has no account for the workspace T0QUARRY001');
  writeFileSync(
    path,
    JSON.stringify({ accounts: [acme, { name: 'labs', service: 'vultr', key: 'another' }] }),
  );
  expect(loadAccounts(env).map(({ account }) => account?.workspaces)).toEqual([['T0LANTERN01'], undefined]);
  // Which workspaces an organization has, nobody knows before it installs the bot.
  const ofOrganization = { ...env, SLACK_TEAMS: 'E0LANTERN01' };
  writeFileSync(path, JSON.stringify({ accounts: [acme] }));
  expect(() => loadAccounts(ofOrganization)).toThrow('no account for the organization E0LANTERN01');
  const rest = { name: 'labs', service: 'vultr', key: 'another', workspaces: ['E0LANTERN01'] };
  writeFileSync(path, JSON.stringify({ accounts: [acme, rest] }));
  expect(loadAccounts(ofOrganization)).toHaveLength(2);
});

it.each([
  ['C0BILLING01', ['C0OPS000001'], 1],
  ['C0BILLING01,C0OPS000001', ['C0OPS000001'], 0],
  ['C0BILLING01', undefined, 0],
])('figures for %s, in an account for %s: what can appear nowhere is said', (figures, channels, count) => {
  const [acme] = load(
    [
      {
        name: 'acme',
        service: 'vultr',
        key: SECRET,
        channels,
        settings: { LAMPLIGHTER_ADMINS: 'U0ADA000001' },
      },
    ],
    { BILLING_CHANNELS: figures },
  );
  expect(acme?.config.doubts.ofAccount.map(({ what }) => what)).toEqual(
    Array(count).fill(
      'BILLING_CHANNELS names no channel in which the account acme can be used, so its figures appear in none, and its alerts go to an admin alone.',
    ),
  );
});
