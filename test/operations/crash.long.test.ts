import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { QUEUE_PREFIX } from '../../src/platform/queue/queue.ts';
import { play, powerCalls, readAll } from '../support/sandbox.ts';
import { startProcess } from '../support/process.ts';
import { crashAt, expectToldOnce } from './crashing.ts';

describe('killed', () => {
  it('while the call is on its way and not done, a restart is not asked again', async () => {
    const { sandbox, texts } = await crashAt(async ({ hosting }) => {
      const held = hosting.hold({ method: 'POST' });
      await held.arrived;
      setTimeout(() => held.drop(), 100);
    });
    expectToldOnce(texts);
    expect(texts[0]).toContain('web-1 (101): unknown whether it restarted');
    expect(powerCalls(sandbox)).toBe(1);
  });
});

describe('a queue that forgot', () => {
  /** Takes every job away, as a crash between two writes or a Redis that lost its tail would. */
  const forget = async (sandbox: Sandbox): Promise<number> => {
    const redis = new Redis(sandbox.redisUrl);
    const jobs = await redis.keys(`${QUEUE_PREFIX}:*`);
    await redis.del(...jobs);
    redis.disconnect();
    return jobs.length;
  };

  it('does not keep an accepted request from its end', async () => {
    const sandbox = await play({ bot: false });
    await sandbox.startBot({ LAMPLIGHTER_ROLE: 'web' });
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.stopBots();
    expect(await forget(sandbox)).toBeGreaterThan(0);
    await sandbox.startBot({ LAMPLIGHTER_ROLE: 'worker' });
    await sandbox.settled();
    expectToldOnce(readAll(sandbox));
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('does not keep an operation under way from its end', async () => {
    const sandbox = await play({ bot: false, timings: { patienceMs: 20_000 } });
    await sandbox.startBot();
    sandbox.hosting.setBehavior(101, { powerMs: 1_500 });
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('It reports restarting'));
    await sandbox.stopBots();
    expect(await forget(sandbox)).toBeGreaterThan(0);
    await sandbox.startBot();
    await sandbox.settled();
    expectToldOnce(readAll(sandbox));
    expect(powerCalls(sandbox)).toBe(1);
  });
});

describe('SIGTERM', () => {
  it('ends the real process with 0 and parks what runs for the next one', async () => {
    const sandbox = await play({ bot: false });
    sandbox.hosting.setBehavior(101, { powerMs: 5_000 });
    const first = await startProcess(sandbox, { asShipped: true });
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => readAll(sandbox).length === 1);
    expect(await first.end('SIGTERM')).toBe(0);
    await startProcess(sandbox);
    await sandbox.settled();
    expectToldOnce(readAll(sandbox));
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('lets a call that is under way come to its end', async () => {
    const sandbox = await play({ bot: false });
    const first = await startProcess(sandbox);
    const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
    await sandbox.slack.person('ana').types('#ops', '/instances stop web-1');
    await held.arrived;
    const ended = first.end('SIGTERM');
    held.release();
    expect(await ended).toBe(0);
    await startProcess(sandbox);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(readAll(sandbox)[0]).toContain('Stopped web-1 (101) in');
  });
});
