import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { auditKeys } from '../../src/core/audit/keys.ts';
import { scopeOf } from '../../src/platform/redis/key.ts';
import { SCOPES } from '../../src/features/doctor/judge-slack.ts';
import { runCommand } from '../support/command.ts';
import { answerTo, runToEnd } from '../support/sandbox.ts';
import { playTwoAccounts } from './two-accounts.ts';

const SLACK = { scopes: SCOPES.map(({ name }) => name) };

it('npm run doctor looks at the bot once, and at each account under its name', async () => {
  const { sandbox } = await playTwoAccounts(
    () => ({ labs: { settings: { BILLING_CHANNELS: 'C0OPS000001' } } }),
    {
      slack: SLACK,
    },
  );
  const { code, said } = await runCommand('doctor', [], sandbox.env);
  const [bot = '', acme = '', labs = ''] = said.split(/\n(?:acme|labs)\n/);
  for (const words of ['The Slack token works', 'keeps its data safe', 'runs on Node']) {
    expect(bot).toContain(words);
    expect(acme + labs).not.toContain(words);
  }
  for (const part of [acme, labs]) {
    expect(part).toMatch(
      /^All is well: \d checks passed(?:, \d+ (?:is|are) optional or not checked)?\.\n(✅ .+\n)+(➖ .+\n)*$/,
    );
    expect(part).toContain('The hosting service takes the key.');
  }
  expect(labs).toContain('C0OPS000001 (alerts, figures) can be posted to.');
  expect(bot + acme).not.toContain('C0OPS000001');
  expect(code).toBe(0);
});

it('npm run doctor exits with 1 where one account has a fault, and says which', async () => {
  const { sandbox, second } = await playTwoAccounts(undefined, { slack: SLACK });
  const wrong = 'oc_live_nobody_knows';
  second.write({ labs: { settings: { HOSTING_API_TOKEN: wrong } } });
  const { code, said } = await runCommand('doctor', [], sandbox.env);
  const [bot = '', acme = '', labs = ''] = said.split(/\n(?:acme|labs)\n/);
  expect(labs).toContain("❌ The hosting service refused the bot's API key (401).");
  expect(bot + acme).not.toContain('❌');
  expect(said).not.toContain(wrong);
  expect(code).toBe(1);
});

it('/lamplighter doctor is about the account of which it is asked', async () => {
  const { sandbox, labs } = await playTwoAccounts(undefined, { slack: SLACK });
  labs.failNext({ method: 'GET' }, 401, 100);
  const ofLabs = await answerTo(sandbox, 'admin', '/lamplighter doctor labs:');
  expect(ofLabs).toContain("❌ The hosting service refused the bot's API key (401).");
  expect(ofLabs.startsWith('`labs`\n')).toBe(true);
  const ofAcme = await answerTo(sandbox, 'admin', '/lamplighter doctor acme:');
  expect(ofAcme).toContain('✅ The hosting service takes the key.');
});

it('npm run audit:verify checks the audit of each account, and says whose is wrong', async () => {
  const { sandbox } = await playTwoAccounts();
  await runToEnd(sandbox, 'ana', '/instances restart acme:web-1');
  await runToEnd(sandbox, 'ana', '/instances restart labs:web-1');
  const REDIS_URL = sandbox.redisUrl;
  const intact = String.raw`The audit is intact: 2 entries, the newest is number 2 with hash \S+\.\n`;
  expect(await runCommand('verify-audit', [], { REDIS_URL })).toEqual({
    code: 0,
    said: expect.stringMatching(new RegExp(`^acme: ${intact}labs: ${intact}$`)),
  });
  const redis = new Redis(REDIS_URL, { keyPrefix: scopeOf('acme') });
  const [first] = await redis.xrange(auditKeys.entries, '-', '+');
  await redis.xdel(auditKeys.entries, first![0]);
  expect(await runCommand('verify-audit', [], { REDIS_URL })).toEqual({
    code: 1,
    said: expect.stringMatching(
      new RegExp(`^acme: The audit was changed: entry number 1.*\nlabs: ${intact}$`),
    ),
  });
  // An audit that is gone as a whole is not passed over.
  await redis.del(...Object.values(auditKeys));
  redis.disconnect();
  expect((await runCommand('verify-audit', [], { REDIS_URL })).said).toContain(
    'acme: The audit is empty: nothing was recorded yet',
  );
});

it('npm run audit:verify finds the audits of accounts in a workspace, and one from before there were accounts', async () => {
  const { sandbox } = await playTwoAccounts(undefined, { bot: false });
  const redis = new Redis(sandbox.redisUrl);
  const scope = `${scopeOf('T0EAST00001')}${scopeOf('acme')}`;
  // A head without its entries, as they were taken away.
  const whole = ['', `${scopeOf('T0EAST00001')}${scopeOf('labs')}`];
  await redis.hset(`${scope}${auditKeys.head}`, { seq: 3, hash: 'abc' });
  await redis.set(`${scopeOf('T0EAST00001')}{lamplighter}:home-account:U1`, 'acme');
  for (const each of whole) await redis.hset(`${each}${auditKeys.head}`, { seq: 0, hash: '' });
  const { code, said } = await runCommand('verify-audit', [], { REDIS_URL: sandbox.redisUrl });
  expect(said.split('\n').map((line) => line.replace(/(intact|changed|empty):.*/, '$1'))).toEqual([
    'without an account: The audit is empty',
    'T0EAST00001 acme: The audit was changed',
    'T0EAST00001 labs: The audit is empty',
    '',
  ]);
  expect(code).toBe(1);
  await redis.flushdb();
  redis.disconnect();
});
