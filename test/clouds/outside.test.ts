import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { OutgoingCall } from '../../src/platform/hosting/auth.ts';
import { adapter as instanceHosting } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { listsOf } from '../../src/platform/hosting/read-list.ts';
import { loadAdapter } from '../../src/app/load-adapter.ts';
import { checkAdapter } from '../../sandbox/adapter-check/check.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { runCommand } from '../support/command.ts';
import { dumpOf } from '../support/redis-dump.ts';
import {
  answeredWith,
  answerTo,
  play,
  powerCalls,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';
import { KEY, openTokenCloud, type TokenCloud } from './outside/token-cloud-double.ts';
import { playAt } from './play-on.ts';

const AT = resolve('test/clouds/outside/token-cloud.ts');

async function playOnTokenCloud(): Promise<{ cloud: TokenCloud; sandbox: Sandbox }> {
  const cloud = await openTokenCloud();
  return playAt(AT, cloud, KEY, { env: { HOSTING_LOGIN_URL: `${cloud.url}/oauth/token` } });
}

describe('a service with an adapter outside of the bot, whose key is exchanged first', () => {
  test('is run like any other, with one exchange', async () => {
    const { cloud, sandbox } = await playOnTokenCloud();
    const ana = sandbox.slack.person('ana');
    const list = await answerTo(sandbox, 'ana', '/instances list region:north-1 label:team=web');
    expect(list).toMatch(/web-a.*web-b/su);
    expect(list).not.toContain('web-c');
    await ana.types('#ops', '/instances stop web-a');
    await sandbox.settled();
    expect(readAll(sandbox).join('\n')).toContain('✅ Stopped web-a (vm-a)');
    expect(cloud.writes()).toEqual(['PUT /v3/vms/vm-a/state {"state":"off"}']);
    expect(cloud.exchanges()).toBe(1);
    const [login] = cloud.calls;
    expect(login?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(cloud.calls.find(({ method }) => method === 'PUT')?.headers['x-request']).toBe('power');
    expect(
      cloud.calls
        .filter(({ url }) => url.pathname === '/v3/vms')
        .every(({ headers }) => headers['x-filter'] === 'all'),
    ).toBe(true);
  });

  test('offers what it can do and no more', async () => {
    const { cloud, sandbox } = await playOnTokenCloud();
    expect(await answerTo(sandbox, 'ana', '/instances stop web-a --dry-run')).toContain(
      'A stopped machine costs half.',
    );
    const refused = await answerTo(sandbox, 'ana', '/instances delete web-a');
    expect(refused).toContain('I can delete nothing at Token Cloud. Machines are canceled in its console');
    expect(await answerTo(sandbox, 'ana', '/instances force-restart web-a')).toContain('force-restart');
    const card = await answeredWith(sandbox, 'ana', '/instances show web-a');
    expect(JSON.stringify(card.content.blocks)).toContain('https://console.token-cloud.example/vms/vm-a');
    expect(JSON.stringify(card.content.blocks)).not.toContain('instances.delete');
    expect(cloud.writes()).toEqual([]);
    await sandbox.slack.person('ana').types('#ops', '/instances force-stop web-a');
    await sandbox.slack.until(() => sandbox.slack.dump().includes('Force stop'));
  });

  test('neither its key nor its token stands in Redis or in the log', async () => {
    const { cloud, sandbox } = await playOnTokenCloud();
    await answerTo(sandbox, 'ana', '/instances list');
    const told = `${await dumpOf(sandbox.redisUrl, /./)}\n${sandbox.logs.join('')}\n${privateTexts(sandbox, 'ana').join('\n')}`;
    expect(cloud.tokens).toHaveLength(1);
    for (const secret of [...cloud.tokens, KEY, KEY.split(':')[1]!]) expect(told).not.toContain(secret);
  });

  test('a second process takes the token that the first has', async () => {
    const { cloud, sandbox } = await playOnTokenCloud();
    await sandbox.startBot();
    await answerTo(sandbox, 'ana', '/instances list');
    expect(cloud.exchanges()).toBe(1);
  });

  test('a key that the login refuses is told as the key, in the words of the login', async () => {
    const cloud = await openTokenCloud();
    const env = { HOSTING_LOGIN_URL: `${cloud.url}/oauth/token` };
    cloud.login = { status: 400, body: { error: 'this client was disabled on Monday' } };
    await expect(playAt(AT, cloud, KEY, { env })).rejects.toThrow(
      /refused the key in HOSTING_API_TOKEN.*this client was disabled on Monday/su,
    );
    await expect(playAt(AT, cloud, 'only-an-id-of-ours', { env })).rejects.toThrow(
      /the key must be ID:SECRET/u,
    );
  });

  test('passes each check of an adapter, its power too', async () => {
    const cloud = await openTokenCloud();
    const findings = await checkAdapter({
      adapter: await loadAdapter(AT),
      url: cloud.url,
      loginUrl: `${cloud.url}/oauth/token`,
      token: KEY,
      powerId: 'vm-a',
      patienceMs: 5_000,
    });
    expect(findings.filter(({ level }) => level === 'fault')).toEqual([]);
  });
});

describe('an adapter outside of the bot that can not be used', () => {
  const WHOLE = `{ version: 1, name: 'X', prefix: '/v1', limit: { requests: 1, seconds: 1 }, showsWithinMs: 0,
    deletion: { takes: [], leaves: 'Nothing', inShort: 'All goes.' },
    instances: { list: { path: '/a', items: () => [], item: () => ({}), paging: () => ({}) }, one: () => ({}), power: () => ({}) } }`;
  const written = (code: string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'adapter-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'my-cloud.mjs');
    writeFileSync(path, code);
    return path;
  };

  test('is loaded where it is whole', async () => {
    const loaded = await loadAdapter(written(`export const adapter = ${WHOLE}`));
    expect(loaded.name).toBe('X');
    // What it gives of an instance is looked at once more: this has nothing that one needs.
    const [list] = listsOf(loaded.instances.list);
    expect(() => list?.item({})).toThrow('not as expected: id, name');
  });

  // In a process: the hook that finds the helpers is Node's, and these tests run without it.
  test('is found with its helpers by the built bot', async () => {
    const code = `import { readAs, z } from 'lamplighter/adapter';
      readAs(z.number(), 1);
      export const adapter = ${WHOLE}`;
    const policy = written('approvals:\n  - { on: [a], for: [restart] }\n');
    expect(await runCommand('check-policy', [policy], { HOSTING_SERVICE: written(code) })).toMatchObject({
      code: 0,
    });
    const faulty = await runCommand('check-policy', [policy], {
      HOSTING_SERVICE: written(code.replace('1)', "'1')")),
    });
    expect(faulty.code).toBe(2);
    expect(faulty.said).toContain("can't be loaded: not as expected: the record");
  });

  test.each([
    ['export const other = 1', /adapter is missing/u],
    [
      `export const adapter = ${WHOLE.replace('version: 1,', '')}`,
      /adapter\.version is missing: this bot has version 1/u,
    ],
    [`export const adapter = ${WHOLE.replace('version: 1', 'version: 2')}`, /adapter\.version must be 1/u],
    [
      `export const adapter = ${WHOLE.replace('one:', 'remov: () => ({}), one:')}`,
      /adapter\.instances has remov, which I don't know/u,
    ],
    [`export const adapter = ${WHOLE.replace("'/v1'", "'v1'")}`, /adapter\.prefix must be a path like \/v1/u],
    [
      `export const adapter = ${WHOLE.replace('power: () => ({})', "power: 'POST'")}`,
      /adapter\.instances\.power must be a function/u,
    ],
    [
      `export const adapter = ${WHOLE.replace('paging: () => ({})', 'paging: 1')}`,
      /adapter\.instances\.list\.0\.paging must be a function/u,
    ],
    [
      `export const adapter = ${WHOLE.replace('prefix:', "readBody: 'xml', prefix:")}`,
      /adapter\.readBody must be a function/u,
    ],
    [
      `export const adapter = ${WHOLE.replace('prefix:', "sentenceOf: 'Message', prefix:")}`,
      /adapter\.sentenceOf must be a function/u,
    ],
    ["import 'no-such-package-of-ours'; export const adapter = {}", /can't be loaded: /u],
    ['export const adapter = {', /can't be loaded: /u],
  ])('%s is said to be what is wrong', async (code, words) => {
    await expect(loadAdapter(written(code))).rejects.toThrow(words);
  });

  test('a path with nothing there, and a package that is not installed, are said', async () => {
    await expect(loadAdapter('./no-such-cloud.mjs')).rejects.toThrow(
      /no-such-cloud\.mjs: there is no such file/u,
    );
    await expect(loadAdapter('@acme/no-such-cloud')).rejects.toThrow(/@acme\/no-such-cloud can't be loaded/u);
  });
});

describe('an adapter that throws where a call is to be made', () => {
  const broken = (): never => {
    throw new Error('a bug of the adapter');
  };

  test.each([
    ['builds it', { instances: { ...instanceHosting.instances, power: broken } }],
    [
      'signs it',
      {
        auth: {
          headers: (key: string, { method }: OutgoingCall) => (method === 'GET' ? asBearer(key) : broken()),
        },
      },
    ],
  ])('and %s has asked for nothing, and that is said', async (_what, adapter) => {
    const sandbox = await play({ adapter });
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(powerCalls(sandbox)).toBe(0);
    const said = readAll(sandbox).join('\n');
    expect(said).toContain(
      "❌ Could not restart web-1 (101): the bot's adapter for the hosting service couldn't ask for it.",
    );
  });
});

function asBearer(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}` };
}
