import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { customer, instance } from '../../sandbox/world.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { deploymentKeys } from '../../src/core/deployment/owner.ts';
import { runCommand } from '../support/command.ts';
import { answerTo, play, type PlayOptions, powerCalls, readAll, runToEnd } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const KEYS = { prod: 'oc_live_prod_canary_1', staging: 'oc_live_staging_canary_2' };

/** A hosting company with two customers, and no bot yet. */
function open(options: PlayOptions = {}): Promise<Sandbox> {
  const customers = [
    customer('prod', { apiKey: KEYS.prod, instances: [instance(43, 'web-43')] }),
    customer('staging', { apiKey: KEYS.staging, instances: [instance(44, 'scratch-2')] }),
  ];
  return play({ bot: false, hosting: { world: { customers } }, ...options });
}

/** Why a bot does not start. */
async function refusal(sandbox: Sandbox, env: Readonly<Record<string, string>>): Promise<string> {
  return sandbox.startBot(env).then(
    () => 'it starts',
    (error: unknown) => String(error),
  );
}

const OTHER = 'What is in this Redis belongs to another deployment: it was written for';
const PROD = { HOSTING_API_TOKEN: KEYS.prod };
const STAGING = { HOSTING_API_TOKEN: KEYS.staging, SLACK_COMMAND_PREFIX: 'staging-' };

describe('two deployments on one Redis', () => {
  it('never act for each other: the second does not start, and says what is different and what to set', async () => {
    const sandbox = await open();
    await sandbox.startBot(STAGING);
    const why = await refusal(sandbox, PROD);
    expect(why).toContain(`${OTHER} another API key. Give this one its own with REDIS_PREFIX, like`);
    expect(why).toMatch(/start it with LAMPLIGHTER_TAKE_OVER=[\w-]{8}\.$/);
    expect(why).not.toContain('canary');
  });

  it.each([
    ['the address', { HOSTING_API_URL: 'http://127.0.0.1:1/other' }, 'the address http'],
    ['the service', { HOSTING_SERVICE: 'hetzner' }, 'the service instance-hosting (here hetzner)'],
  ])('nor where %s is another', async (_, env, words) => {
    const sandbox = await open();
    await sandbox.startBot(PROD);
    expect(await refusal(sandbox, { ...PROD, ...env })).toContain(words);
  });

  it('nor where the workspace is another', async () => {
    const sandbox = await open();
    const redis = new Redis(sandbox.redisUrl);
    await sandbox.startBot(PROD);
    await sandbox.stopBots();
    const mark = JSON.parse((await redis.get(deploymentKeys.owner)) ?? '') as object;
    await redis.set(deploymentKeys.owner, JSON.stringify({ ...mark, workspace: 'T0STRANGE99' }));
    redis.disconnect();
    expect(await refusal(sandbox, PROD)).toContain('the workspace T0STRANGE99 (here T');
  });

  it('share it with a prefix: each restarts its own, and neither sees what the other keeps', async () => {
    // Its own Redis, since this is about all that stands in it.
    const sandbox = await open({ isRefused: true, ownRedis: true });
    await sandbox.startBot({ ...PROD, REDIS_PREFIX: 'prod' });
    await sandbox.startBot({ ...STAGING, REDIS_PREFIX: 'staging' });
    await sandbox.slack.person('ana').types('#ops', '/staging-instances restart scratch-2');
    await sandbox.slack.until(() => readAll(sandbox).find((text) => text.includes('Restarted scratch-2')));
    expect(powerCalls(sandbox)).toBe(1);
    const redis = new Redis(sandbox.redisUrl);
    const keys = await redis.keys('*');
    await redis.flushdb();
    redis.disconnect();
    expect(keys.filter((key) => !/^(prod|staging):\{lamplighter\}:/.test(key))).toEqual([]);
    expect(keys.filter((key) => /operation:/.test(key) && key.startsWith('prod:'))).toEqual([]);
  });
});

describe('a deployment that changed on purpose', () => {
  it('takes its state over with the mark that it was told, once, and the old one ends its work', async () => {
    const sandbox = await open({ timings: { watchdogEveryMs: 50 } });
    await sandbox.startBot(PROD);
    await runToEnd(sandbox, 'admin', '/lamplighter access grant finance @ana');
    const rotated = { HOSTING_API_TOKEN: KEYS.staging };
    const mark = /TAKE_OVER=([\w-]+)/.exec(await refusal(sandbox, rotated))?.[1] ?? '';
    await sandbox.startBot({ ...rotated, LAMPLIGHTER_TAKE_OVER: mark });
    await until(() => sandbox.logs.some((line) => line.includes(OTHER)));
    // Left in the environment, it takes nothing over any more.
    expect(await refusal(sandbox, { ...PROD, LAMPLIGHTER_TAKE_OVER: mark })).toContain(OTHER);
    await sandbox.startBot(rotated);
    expect(await answerTo(sandbox, 'admin', '/lamplighter access')).toContain('finance');
  });

  it('no call leaves a process whose state another has taken over', async () => {
    const sandbox = await open({ timings: { watchdogEveryMs: 50 } });
    await sandbox.startBot(PROD);
    const redis = new Redis(sandbox.redisUrl);
    const mark = JSON.parse((await redis.get(deploymentKeys.owner)) ?? '') as object;
    await redis.set(deploymentKeys.owner, JSON.stringify({ ...mark, workspace: 'T0STRANGE99' }));
    redis.disconnect();
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-43');
    await until(() => sandbox.logs.some((line) => line.includes('T0STRANGE99')));
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('a Redis that was emptied under it is its own again', async () => {
    const sandbox = await open({ timings: { watchdogEveryMs: 50 } });
    await sandbox.startBot(PROD);
    const redis = new Redis(sandbox.redisUrl);
    await redis.flushdb();
    await until(async () => (await redis.exists(deploymentKeys.owner)) === 1);
    redis.disconnect();
    expect(await refusal(sandbox, STAGING)).toContain(OTHER);
  });
});

it('nothing of the key is in the mark, and the doctor says whose it is and changes nothing', async () => {
  const sandbox = await open();
  await sandbox.startBot(PROD);
  const redis = new Redis(sandbox.redisUrl);
  const mark = await redis.get(deploymentKeys.owner);
  expect(mark).not.toMatch(/canary|oc_live/);
  const { said } = await runCommand('doctor', [], { ...sandbox.env, ...STAGING });
  expect(said).toContain(`❌ ${OTHER} another API key.`);
  expect(await redis.get(deploymentKeys.owner)).toBe(mark);
  expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).toContain(
    '✅ What is in Redis is of this workspace, service and key.',
  );
  const own = await runCommand('verify-audit', [], { ...sandbox.env, REDIS_PREFIX: 'nobody' });
  expect(own.said).toContain('The audit is empty');
  redis.disconnect();
});
