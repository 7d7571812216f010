import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { customer, instance } from '../../sandbox/world.ts';
import { FLEET, playTwoAccounts } from '../accounts/two-accounts.ts';
import { dmWith } from '../support/asking.ts';
import { fileWith } from '../support/file-with.ts';
import { answerTo, play, powerCalls, readAll, runToEnd } from '../support/sandbox.ts';

const OLD = 'oc_live_prod_canary_1';
const NEW = 'oc_live_prod_canary_2';

/** That no secret is in the log, in Slack or in what the bot sent there. */
function expectNothingSaid(sandbox: Sandbox): void {
  const all = sandbox.logs.join('') + sandbox.slack.dump() + JSON.stringify(sandbox.slack.calls);
  expect(all).not.toMatch(/canary/);
}

it('a restart that is under way while the process with the next API key takes over ends once, and is told', async () => {
  const customers = [customer('prod', { apiKey: OLD, instances: [instance(43, 'web-43')] })];
  const sandbox = await play({
    bot: false,
    hosting: { world: { customers } },
    timings: { watchdogEveryMs: 50 },
  });
  const before = await sandbox.startBot({ HOSTING_API_TOKEN: OLD });
  const held = sandbox.hosting.hold({ method: 'POST', path: /43\/restart$/ });
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-43');
  await held.arrived;
  sandbox.hosting.changeKey('prod', NEW);
  const next = { HOSTING_API_TOKEN: NEW };
  const refusal = await sandbox.startBot(next).then(() => 'it starts', String);
  const [, mark = ''] = /LAMPLIGHTER_TAKE_OVER=([\w-]+)/.exec(refusal) ?? [];
  // The first goes as the next is there, as in a rolling restart.
  await sandbox.startBot({ ...next, LAMPLIGHTER_TAKE_OVER: mark });
  held.release();
  await before.stop();
  await sandbox.slack.until(() => readAll(sandbox).find((text) => text.includes('Restarted web-43')));
  expect(powerCalls(sandbox)).toBe(1);
  expect(await answerTo(sandbox, 'ana', '/instances show web-43')).toContain('web-43 (43)');
  expectNothingSaid(sandbox);
});

it('keys and tokens that change in files wait for a restart: the admin and the doctor say which, and the bot works on', async () => {
  const sandbox = await play({ bot: false, timings: { settingsEveryMs: 40 } });
  const names = ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'HOSTING_API_TOKEN', 'REDIS_URL'];
  const files = names.map((name) => [name, fileWith(sandbox.env[name] ?? '')] as const);
  await sandbox.startBot(
    Object.fromEntries(
      files.flatMap(([name, path]) => [
        [name, ''],
        [`${name}_FILE`, path],
      ]),
    ),
  );
  for (const [name, path] of files)
    writeFileSync(path, name === 'REDIS_URL' ? 'redis://:canary@127.0.0.1:1' : `xoxb-canary-${name}`);
  const dm = await dmWith(sandbox, 'admin', 'needs a restart before it counts');
  const doctor = await answerTo(sandbox, 'admin', '/lamplighter doctor');
  for (const name of names) {
    expect(sandbox.slack.read(dm)).toContain(name);
    expect(doctor).toContain(`needs a restart before it counts: ${name}.`);
  }
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  expect(powerCalls(sandbox)).toBe(1);
  expect(readAll(sandbox).join('\n')).toContain('Restarted web-1');
  expectNothingSaid(sandbox);
});

it('a key or an address that changes in the file of accounts waits: neither host is sent the key of the other', async () => {
  const moved = customer('moved', { apiKey: NEW, instances: [instance(45, 'web-45')] });
  const host = { world: { customers: [customer('acme', { instances: FLEET }), moved] } };
  const { sandbox, acme, labs, second } = await playTwoAccounts(undefined, {
    hosting: host,
    timings: { settingsEveryMs: 40 },
  });
  const { accounts } = JSON.parse(readFileSync(second.path, 'utf8')) as { accounts: [{ url: string }] };
  const [{ url }] = accounts;
  for (const [words, what] of [
    [{ url }, 'HOSTING_API_URL of the account labs'],
    [{ key: NEW }, 'HOSTING_API_TOKEN of the account labs'],
    [{ url, key: NEW, settings: { BILLING_CURRENCY: 'EUR' } }, 'BILLING_CURRENCY of the account labs'],
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
