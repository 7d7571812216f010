import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { customer, instance } from '../../sandbox/world.ts';
import {
  answerTo,
  play,
  type PlayOptions,
  powerCalls,
  readAll,
  ready,
  runToEnd,
} from '../support/sandbox.ts';
import { dmWith, readDms } from '../support/asking.ts';
import { createStateOwner } from '../../src/core/deployment/owner.ts';
import { FLEET, playTwoAccounts } from '../accounts/two-accounts.ts';
import { until } from '../support/until.ts';

const OLD = 'oc_live_prod_canary_1';
const NEW = 'oc_live_prod_canary_2';
const OTHERS = 'oc_live_labs_canary_3';

/** A file with a secret, as one is mounted. */
function secretFile(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'rotated-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'secret');
  writeFileSync(path, `${content}\n`);
  return path;
}

/** A bot that has its API key from a file. */
async function openWithKey(options: PlayOptions = {}): Promise<{ sandbox: Sandbox; path: string }> {
  const path = secretFile(OLD);
  const customers = [
    customer('prod', {
      apiKey: OLD,
      instances: [instance(43, 'web-43'), instance(44, 'web-44'), instance(46, 'web-46')],
    }),
    customer('labs', { apiKey: OTHERS, instances: [instance(45, 'web-45')] }),
  ];
  const sandbox = await play({
    hosting: { world: { customers } },
    env: { HOSTING_API_TOKEN: '', HOSTING_API_TOKEN_FILE: path },
    ...options,
    timings: { settingsEveryMs: 40, ...options.timings },
  });
  return { sandbox, path };
}

const COUNTS = 'what changed in files counts now';
const has = (sandbox: Sandbox, words: string): boolean => sandbox.logs.some((line) => line.includes(words));

/** That no secret is in the log, in Slack or in what the bot sent there. */
function expectNothingSaid(sandbox: Sandbox): void {
  const all = sandbox.logs.join('') + sandbox.slack.dump() + JSON.stringify(sandbox.slack.calls);
  expect(all).not.toMatch(/canary/);
}

it('a key that is replaced in its file is used at the next call, and at the next start as well', async () => {
  const { sandbox, path } = await openWithKey();
  await runToEnd(sandbox, 'ana', '/instances restart web-43');
  const held = sandbox.hosting.hold({ method: 'POST', path: /44\/restart$/ });
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-44');
  await held.arrived;
  sandbox.hosting.changeKey('prod', NEW);
  writeFileSync(path, NEW);
  await until(() => has(sandbox, COUNTS));
  held.release();
  await sandbox.settled();
  await runToEnd(sandbox, 'ana', '/instances restart web-46');
  expect(powerCalls(sandbox)).toBe(3);
  expect(readAll(sandbox).join('\n')).not.toMatch(/refuse|fail/i);
  // A process that hasn't seen the change yet works on with the key before, and one of somebody else doesn't.
  const redis = new Redis(sandbox.redisUrl);
  const look = (apiKey: string) =>
    createStateOwner({ redis, owner: () => ({ apiKey }), takeOver: undefined }).look();
  expect([await look(OLD), await look(NEW)]).toEqual([undefined, undefined]);
  expect(await look(OTHERS)).toHaveProperty('what');
  redis.disconnect();
  await sandbox.stopBots();
  await sandbox.startBot();
  expect(await answerTo(sandbox, 'ana', '/instances show web-43')).toContain('web-43 (43)');
  expectNothingSaid(sandbox);
});

it('where the service refuses the key, its file is read at once, and what was asked is done', async () => {
  const { sandbox, path } = await openWithKey({ timings: { settingsEveryMs: 60_000 } });
  await runToEnd(sandbox, 'ana', '/instances restart web-43');
  sandbox.hosting.changeKey('prod', NEW);
  writeFileSync(path, NEW);
  await runToEnd(sandbox, 'ana', '/instances restart web-44');
  // One was refused, and did nothing.
  expect(powerCalls(sandbox)).toBe(3);
  expect(readAll(sandbox).join('\n')).toContain('Restarted web-44');
  expect(readAll(sandbox).join('\n')).not.toMatch(/refuse|fail/i);
});

it('a key that is refused or of another customer, and an empty file, leave the one before; the admin reads why, once', async () => {
  const { sandbox, path } = await openWithKey();
  const other = secretFile(OLD);
  await sandbox.startBot({ HOSTING_API_TOKEN_FILE: other });
  for (const [content, words] of [
    ['oc_live_nobody_canary_4', 'HOSTING_API_TOKEN: the hosting service refused the new one'],
    [OTHERS, 'HOSTING_API_TOKEN: the new one shows none of the instances that the one before shows'],
    ['', 'HOSTING_API_TOKEN must be printable ASCII without spaces'],
  ] as const) {
    for (const one of [path, other]) writeFileSync(one, content);
    await until(() => sandbox.logs.filter((line) => line.includes(words)).length === 2);
    await dmWith(sandbox, 'admin', words);
    expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).toContain(words);
    expect(await answerTo(sandbox, 'ana', '/instances show web-43')).toContain('web-43 (43)');
    await sandbox.said();
    expect(readDms(sandbox, 'admin').split(words)).toHaveLength(2);
  }
  for (const one of [path, other]) writeFileSync(one, OLD);
  await dmWith(sandbox, 'admin', 'My settings can be used again');
  expect(has(sandbox, COUNTS)).toBe(false);
  expectNothingSaid(sandbox);
});

it('a key in the file of accounts is used at the next call, and a token also where the first account is taken out', async () => {
  const after = 'xoxb-canary-9999-token';
  const path = secretFile('xoxb-sandbox-bot-token');
  const { sandbox, labs, second } = await playTwoAccounts(undefined, {
    isRefused: true,
    env: { SLACK_BOT_TOKEN: '', SLACK_BOT_TOKEN_FILE: path },
    timings: { settingsEveryMs: 40 },
  });
  labs.changeKey('acme', NEW);
  second.write({ labs: { key: NEW } });
  await until(() => has(sandbox, COUNTS));
  expect(await answerTo(sandbox, 'ana', '/instances show labs:web-1')).toContain('web-1 (101)');
  expect(await answerTo(sandbox, 'ana', '/instances show acme:web-1')).toContain('web-1 (101)');
  const { accounts } = JSON.parse(readFileSync(second.path, 'utf8')) as { accounts: object[] };
  writeFileSync(second.path, JSON.stringify({ accounts: accounts.slice(1) }));
  await dmWith(sandbox, 'admin', 'the account acme, which is gone');
  sandbox.slack.issueToken(after, sandbox.slack.botToken);
  writeFileSync(path, after);
  sandbox.slack.revokeToken(sandbox.slack.botToken);
  await runToEnd(sandbox, 'ana', '/instances restart labs:web-2');
  expect(readAll(sandbox).join('\n')).toContain('Restarted');
  expectNothingSaid(sandbox);
});

it('a key that comes with another address waits for the restart: neither host is sent the key of the other', async () => {
  const moved = customer('moved', { apiKey: NEW, instances: [instance(45, 'web-45')] });
  const host = { world: { customers: [customer('acme', { instances: FLEET }), moved] } };
  const { sandbox, acme, labs, second } = await playTwoAccounts(undefined, {
    hosting: host,
    timings: { settingsEveryMs: 40 },
  });
  const { accounts } = JSON.parse(readFileSync(second.path, 'utf8')) as { accounts: [{ url: string }] };
  const [{ url }] = accounts;
  // The address alone, then the key as well, or both at once: each waits.
  for (const [words, what] of [
    [{ url }, 'HOSTING_API_URL of the account labs'],
    [{ url, key: NEW, settings: { BILLING_UNIT: 'EUR' } }, 'BILLING_UNIT of the account labs'],
    [{}, 'My settings'],
    [{ url, key: NEW, channels: ['C0OPS000001'] }, 'channels of the account labs'],
  ] as const) {
    second.write({ labs: words });
    await dmWith(sandbox, 'admin', what);
    expect(await answerTo(sandbox, 'ana', '/instances show labs:web-1')).toContain('web-1 (101)');
    await sandbox.settled();
  }
  await runToEnd(sandbox, 'ana', '/instances restart labs:web-2');
  for (const { calls } of [acme, labs])
    expect(new Set(calls.map(({ keyName }) => keyName))).toEqual(new Set(['acme']));
  expectNothingSaid(sandbox);
});

it('a token that is new beside a renamed first account does nothing before it is tried', async () => {
  const path = secretFile('xoxb-sandbox-bot-token');
  const { sandbox, second } = await playTwoAccounts(undefined, {
    isRefused: true,
    env: { SLACK_BOT_TOKEN: '', SLACK_BOT_TOKEN_FILE: path },
    timings: { settingsEveryMs: 40 },
  });
  const { accounts } = JSON.parse(readFileSync(second.path, 'utf8')) as { accounts: [object, object] };
  const [first, other] = accounts;
  writeFileSync(second.path, JSON.stringify({ accounts: [{ ...first, name: 'renamed' }, other] }));
  await dmWith(sandbox, 'admin', 'the account acme, which is gone');
  const held = sandbox.slack.hold('auth.test');
  writeFileSync(path, 'xoxb-canary-0000-nobody');
  await held.arrived;
  const before = sandbox.slack.calls.length;
  await sandbox.slack.person('ana').types('#ops', '/instances restart labs:web-2');
  const answered = () =>
    sandbox.slack.calls.slice(before).filter(({ method, ok }) => method !== 'auth.test' && ok !== undefined);
  await until(() => answered().length > 0);
  expect(answered().filter(({ ok }) => ok === false)).toEqual([]);
  held.release();
  await dmWith(sandbox, 'admin', 'SLACK_BOT_TOKEN: Slack refuses the new one (invalid_auth)');
});

it('what is signed with the secret before is taken for a while, and what is signed with the new one at once', async () => {
  const [before, after] = ['signing-canary-1', 'signing-canary-2'];
  const path = secretFile(before);
  const sandbox = await play({
    slack: { signingSecret: before },
    env: { SLACK_SIGNING_SECRET: '', SLACK_SIGNING_SECRET_FILE: path },
    timings: { settingsEveryMs: 60_000, formerSecretForMs: 1_000 },
  });
  let sent = 0;
  const send = async (secret: string): Promise<number> => {
    // Each another one, or it is a replay.
    const body = `ssl_check=1&token=${(sent += 1)}`;
    return (await sandbox.slack.send({ body, sign: { secret } })).status;
  };
  expect([await send(before), await send(after)]).toEqual([200, 401]);
  // The look that found nothing was a moment ago.
  await until(async () => {
    writeFileSync(path, after);
    return (await send(after)) === 200;
  });
  expect([await send(after), await send(before)]).toEqual([200, 200]);
  await until(async () => (await send(before)) === 401);
  expect(await send(after)).toBe(200);
  expectNothingSaid(sandbox);
});

it('a bot token that Slack has revoked is read anew at once, and one of no app leaves the one before', async () => {
  const after = 'xoxb-canary-5678-token';
  const path = secretFile('xoxb-sandbox-bot-token');
  const sandbox = await play({
    isRefused: true,
    env: { SLACK_BOT_TOKEN: '', SLACK_BOT_TOKEN_FILE: path },
    timings: { settingsEveryMs: 40 },
  });
  writeFileSync(path, 'xoxb-canary-0000-nobody');
  await dmWith(sandbox, 'admin', 'SLACK_BOT_TOKEN: Slack refuses the new one (invalid_auth)');
  sandbox.slack.issueToken(after, sandbox.slack.botToken);
  writeFileSync(path, after);
  sandbox.slack.revokeToken(sandbox.slack.botToken);
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  expect(powerCalls(sandbox)).toBe(1);
  expect(readAll(sandbox).join('\n')).toContain('Restarted web-1');
  expectNothingSaid(sandbox);
});

it('an app token that is replaced in its file opens the next connection', async () => {
  const after = 'xapp-canary-5678-token';
  const path = secretFile('xapp-sandbox-app-token');
  const sandbox = await play({
    env: { SLACK_APP_TOKEN_FILE: path },
    timings: { settingsEveryMs: 40 },
  });
  sandbox.slack.issueToken(after, sandbox.slack.appToken);
  writeFileSync(path, after);
  await until(() => has(sandbox, COUNTS));
  sandbox.slack.revokeToken(sandbox.slack.appToken);
  sandbox.slack.cutSockets();
  await ready(sandbox);
  expect(await answerTo(sandbox, 'ana', '/instances show web-1')).toContain('web-1 (101)');
});
