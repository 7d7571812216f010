import { expect, it, onTestFinished } from 'vitest';
import { TIMINGS } from '../../src/core/timings.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { takeDatabase } from '../support/shared-redis.ts';
import { play, powerCalls, privateTexts, readAll } from '../support/sandbox.ts';

/** With the waits that the bot is shipped with: it takes as long as it does for people whose Redis is that far away. */
async function playFarFromRedis(oneWayMs: number): Promise<Awaited<ReturnType<typeof play>>> {
  const database = await takeDatabase();
  const proxy = await startRedisProxy(database.url);
  onTestFinished(async () => {
    await proxy.stop();
    database.release();
  });
  const sandbox = await play({ ownRedis: true, redisUrl: proxy.url, timings: TIMINGS });
  proxy.delay(oneWayMs);
  return sandbox;
}

/** How long it takes is not what is held here, and a busy machine adds to it. */
const PATIENT = { timeoutMs: 120_000 };

it.each([200, 250])(
  'a restart comes to its end with a Redis that is %i ms away',
  async (oneWayMs) => {
    const sandbox = await playFarFromRedis(oneWayMs);
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.slack.until(
      () => readAll(sandbox).some((text) => text.startsWith('⏳ Restarting web-1')),
      PATIENT,
    );
    await sandbox.slack.until(
      () => readAll(sandbox).some((text) => text.startsWith('✅ Restarted web-1')),
      PATIENT,
    );
    expect(powerCalls(sandbox)).toBe(1);
  },
  300_000,
);

it('a Redis that is half a second away is said to who asks, and nothing is asked for twice', async () => {
  const sandbox = await playFarFromRedis(500);
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() =>
    privateTexts(sandbox, 'ana').some((text) => text.includes('lost touch with my database')),
  );
  expect(powerCalls(sandbox)).toBeLessThanOrEqual(1);
});
