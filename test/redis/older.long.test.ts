import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSchedules } from '../../sandbox/phrases/due-schedule.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { sweeperKeys } from '../../src/core/sweep.ts';
import { redisKeys } from '../../src/core/watchdogs/redis-loss.ts';
import { botMessages, play, powerCalls, readAll } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const admin = (sandbox: Sandbox): string[] =>
  sandbox.slack.person('admin').dms.map((message) => sandbox.slack.read(message));

async function connected(sandbox: Sandbox): Promise<Redis> {
  const redis = new Redis(sandbox.redisUrl);
  onTestFinished(() => redis.disconnect());
  await redis.ping();
  return redis;
}

/** All that Redis holds, to which `goBack` takes it back: as a replica that never heard of what came after, or a backup. */
async function remember(redis: Redis): Promise<{ goBack(): Promise<void> }> {
  const keys = await redis.keys('*');
  const dumps = await Promise.all(
    keys.map(async (key) => [key, await redis.dumpBuffer(key), await redis.pttl(key)] as const),
  );
  return {
    goBack: async () => {
      const all = redis.multi().flushall();
      for (const [key, dump, leftMs] of dumps) if (dump) all.restore(key, Math.max(0, leftMs), dump);
      await all.exec();
      // Whoever comes to another Redis comes over another connection.
      await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    },
  };
}

async function looked(redis: Redis): Promise<void> {
  while (Number(await redis.get(redisKeys.checks)) < 2) await new Promise((done) => setTimeout(done, 20));
}

it('what was acknowledged and no Redis knows any more is told as not known, and not done', async () => {
  const sandbox = await play({ ownRedis: true, bot: false });
  const redis = await connected(sandbox);
  await sandbox.startBot({ LAMPLIGHTER_ROLE: 'web' });
  const before = await remember(redis);
  const typed = await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await before.goBack();
  await until(() => sandbox.logs.some((line) => line.includes('telling of a request that Redis has lost')));
  await sandbox.startBot({ LAMPLIGHTER_ROLE: 'worker' });
  await sandbox.slack.until(() => typed.ephemeral[0]);
  expect(typed.ephemeral.map((message) => sandbox.slack.read(message)).join()).toContain(
    "I don't know whether it will be done",
  );
  await sandbox.settled();
  expect(powerCalls(sandbox)).toBe(0);
});

describe('a Redis that comes back older than it was', () => {
  it('costs no restart that was begun since its end, and an admin reads what was under way', async () => {
    const sandbox = await play({ ownRedis: true });
    const redis = await connected(sandbox);
    await looked(redis);
    const before = await remember(redis);
    const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await held.arrived;
    await before.goBack();
    held.release();
    await sandbox.slack.until(() => readAll(sandbox).length === 2 && admin(sandbox).length > 0);
    expect(readAll(sandbox)[0]).toContain('web-1 (101)');
    expect(readAll(sandbox)[0]).toMatch(/Restarted|unknown whether/);
    expect(powerCalls(sandbox)).toBe(1);
    expect(admin(sandbox)).toHaveLength(1);
    expect(admin(sandbox)[0]).toContain('Redis came back older than it was');
    expect(admin(sandbox)[0]).toContain('web-1 (101) is restarting, asked by @ana');
    await sandbox.settled();
    expect(await redis.keys('{lamplighter}:lock:*')).toEqual([]);
  });

  it('loses the way back with the beginning, and the card says so', async () => {
    const sandbox = await play({ ownRedis: true });
    const redis = await connected(sandbox);
    await looked(redis);
    const before = await remember(redis);
    const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
    await sandbox.slack.person('ana').types('#ops', '/instances start staging for 4h');
    await held.arrived;
    await before.goBack();
    held.release();
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes("It won't be stopped again by itself"));
    await sandbox.settled();
    expect(readAll(sandbox)[0]).not.toContain('[ Keep it ]');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('has the way back as the schedule has it that came back', async () => {
    const sandbox = await play({ ownRedis: true });
    const redis = await connected(sandbox);
    await looked(redis);
    const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
    await sandbox.slack.person('ana').types('#ops', '/instances start staging for 4h');
    await held.arrived;
    const [card] = botMessages(sandbox);
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('[ Keep it ]'));
    const before = await remember(redis);
    await sandbox.slack.person('bob').presses(card!, 'Keep it');
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('@bob keeps it on'));
    await before.goBack();
    held.release();
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('✅ Started staging'));
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('It stops again');
    expect(readAll(sandbox)[0]).not.toContain('keeps it on');
    expect(await readSchedules(sandbox)).toHaveLength(1);
  });

  it('ends as unknown what had not left as far as anybody remembers, and sends it no more', async () => {
    const sandbox = await play({ ownRedis: true });
    const redis = await connected(sandbox);
    await looked(redis);
    const before = await remember(redis);
    const held = sandbox.slack.hold('chat.postMessage', { when: 'after' });
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await held.arrived;
    await before.goBack();
    held.release();
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('unknown whether it restarted'));
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('takes a restart back to before its call, which is sent no second time', async () => {
    const sandbox = await play({ ownRedis: true, hosting: { powerMs: 600 } });
    const redis = await connected(sandbox);
    const post = sandbox.slack.hold('chat.postMessage', { when: 'after' });
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await post.arrived;
    const [key = ''] = await redis.keys(operationKeys.operation('*'));
    const before = (await redis.dumpBuffer(key)) ?? Buffer.alloc(0);
    post.release();
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('It reports restarting'));
    await redis.restore(key, 0, before, 'REPLACE');
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(2);
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('and that every process finds at its start, as after a restore, ends as unknown what was on its way, and sends nothing again', async () => {
    const sandbox = await play({ ownRedis: true });
    const redis = await connected(sandbox);
    const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await held.arrived;
    const backup = await remember(redis);
    held.release();
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
    await sandbox.stopBots();
    await backup.goBack();
    await sandbox.startBot();
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('unknown whether it restarted');
    expect(powerCalls(sandbox)).toBe(1);
    expect(admin(sandbox)).toEqual([]);
  });

  it('is told also where nothing was under way, once by all workers', async () => {
    const sandbox = await play({ ownRedis: true });
    await sandbox.startBot();
    const redis = await connected(sandbox);
    await looked(redis);
    const before = await remember(redis);
    const looks = Number(await redis.get(redisKeys.checks));
    while (Number(await redis.get(redisKeys.checks)) < looks + 4)
      await new Promise((done) => setTimeout(done, 20));
    await before.goBack();
    await sandbox.slack.until(() => admin(sandbox).length > 0);
    while (Number(await redis.get(redisKeys.checks)) < looks + 4)
      await new Promise((done) => setTimeout(done, 20));
    expect(admin(sandbox)).toHaveLength(1);
    expect(admin(sandbox)[0]).toContain('As far as I know, nothing was in progress');
  });
});

it('what was lost is put back also where the keys of Redis were copied without their ends', async () => {
  const sandbox = await play({ ownRedis: true });
  const redis = await connected(sandbox);
  const sweeper = sweeperKeys.of(['']);
  await redis.set(sweeper, 'a process that is gone');
  await expect.poll(() => redis.get(sweeper), { timeout: 20_000 }).not.toBe('a process that is gone');
});
