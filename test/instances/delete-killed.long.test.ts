import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { type BotProcess, startBotProcess } from '../../sandbox/start-bot.ts';
import { operationKeys } from '../../src/core/operations/keys.ts';
import type { Timings } from '../../src/core/timings.ts';
import {
  botMessages,
  deleteCalls,
  deletes,
  FAST,
  IMPATIENCE,
  opensModal,
  play,
  privateMessage,
  readAll,
} from '../support/sandbox.ts';
import { askUntil, until } from '../support/until.ts';

const started: BotProcess[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((bot) => bot.end('SIGKILL')));
});

/** A bot in a process of its own, to be killed; the next one is in this process, which starts sooner. */
async function start(sandbox: Sandbox, timings: Partial<Timings> = {}): Promise<BotProcess> {
  const bot = await startBotProcess({ env: sandbox.env, timings: { ...FAST, ...IMPATIENCE, ...timings } });
  started.push(bot);
  sandbox.slack.connect({ requestUrl: `http://127.0.0.1:${bot.port}/slack/events` });
  return bot;
}

/** When the cancel window of the one open operation ends, once that is written down. */
async function cancelWindowEndsAt(sandbox: Sandbox): Promise<number> {
  const redis = new Redis(sandbox.redisUrl);
  try {
    return await askUntil(async () => {
      const [id] = await redis.zrange(operationKeys.open, '0', '0');
      const record = id === undefined ? null : await redis.hget(operationKeys.operation(id), 'record');
      return Number(/"cancelWindowEndsAt":(\d+)/.exec(record ?? '')?.[1]);
    }, Number.isFinite);
  } finally {
    redis.disconnect();
  }
}

describe('a bot that is killed in the cancel window and started again', () => {
  it('asks for the deletion once, when the cancel window is over', async () => {
    const sandbox = await play({ bot: false });
    const first = await start(sandbox, { cancelWindowMs: 1_000 });
    await deletes(sandbox);
    await cancelWindowEndsAt(sandbox);
    await first.end('SIGKILL');
    expect(deleteCalls(sandbox)).toBe(0);
    await sandbox.startBot();
    await sandbox.settled();
    const [card, reply, ...more] = readAll(sandbox);
    expect(more).toEqual([]);
    expect(card).toContain('✅ Deleted web-1 (101): it is gone');
    expect(reply).toContain('@admin Deleted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it('can still be asked to cancel it', async () => {
    const sandbox = await play({ bot: false });
    const first = await start(sandbox, { cancelWindowMs: 60_000 });
    await deletes(sandbox);
    await cancelWindowEndsAt(sandbox);
    await first.end('SIGKILL');
    await sandbox.startBot();
    await sandbox.slack.person('bob').presses(botMessages(sandbox)[0]!, 'Cancel');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('⚪ Did not delete web-1 (101): @bob canceled it.');
    expect(readAll(sandbox)).toHaveLength(2);
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('cancels it in words where it was down for too long', async () => {
    const sandbox = await play({ bot: false, timings: { acceptWithinMs: 300 } });
    const first = await start(sandbox, { cancelWindowMs: 1_000 });
    await deletes(sandbox);
    const end = await cancelWindowEndsAt(sandbox);
    await first.end('SIGKILL');
    // The time that it is down for.
    await until(() => Date.now() > end + 300);
    await sandbox.startBot();
    await sandbox.settled();
    const [card, reply, ...more] = readAll(sandbox);
    expect(more).toEqual([]);
    expect(card).toContain('⚪ Did not delete web-1 (101): it took too long to get to it');
    expect(card).toContain('Nothing was done; ask again if you still want it.');
    expect(reply).toContain('@admin Did not delete web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('looks before it asks again where it was killed with the call under way', async () => {
    const sandbox = await play({ bot: false });
    const first = await start(sandbox);
    const held = sandbox.hosting.hold({ method: 'DELETE' }, 'after');
    await deletes(sandbox);
    await held.arrived;
    await first.end('SIGKILL');
    held.drop();
    await sandbox.startBot();
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('✅ Deleted web-1 (101)');
    expect(readAll(sandbox)).toHaveLength(2);
    expect(deleteCalls(sandbox)).toBe(1);
  });
});

describe('several processes over one Redis', () => {
  it('share one cancel window: asked in one, confirmed in another, and the service is asked once', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    await sandbox.startBot();
    await sandbox.startBot({ LAMPLIGHTER_ROLE: 'worker' });
    await admin.submits(modal, { typed: 'web-1' });
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(2);
    expect(readAll(sandbox)[0]).toContain('✅ Deleted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it('of which one ends politely in the cancel window leave it to the next, which may cancel it', async () => {
    const sandbox = await play({ timings: { cancelWindowMs: 60_000 } });
    await deletes(sandbox);
    const [card] = await sandbox.slack.until(() => botMessages(sandbox).length > 0 && botMessages(sandbox));
    await sandbox.stopBots();
    expect(sandbox.slack.read(card!)).toContain('[ Cancel ]');
    await sandbox.startBot();
    await sandbox.slack.person('bob').presses(card!, 'Cancel');
    await privateMessage(sandbox, 'bob', 'Canceled. Nothing was done to web-1 (101).');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('@bob canceled it');
    expect(deleteCalls(sandbox)).toBe(0);
  });
});
