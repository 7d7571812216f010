import { expect, it } from 'vitest';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { takeDatabase } from '../support/shared-redis.ts';
import { play, powerCalls, readAll } from '../support/sandbox.ts';

/** What is written down may leave for so long after that, and Redis takes longer: one way, and there and back. */
const SEND_WITHIN_MS = 40;
const ONE_WAY_MS = 30;

const LINES = [
  ['/instances restart web-1', 'Restarted web-1'],
  ['@lamplighter stop db-1', 'Stopped db-1'],
  ['/instances start web-2', 'Started web-2'],
] as const;

/** It waits for each step of a Redis that is slow, which is what it is about. */
it('changes are shown, asked for once and told where each step takes Redis longer than what it wrote may wait', async () => {
  const database = await takeDatabase();
  const proxy = await startRedisProxy(database.url);
  const sandbox = await play({
    ownRedis: true,
    redisUrl: proxy.url,
    timings: { sendWithinMs: SEND_WITHIN_MS },
  });
  proxy.delay(ONE_WAY_MS);
  sandbox.hosting.changeStatus(102, 'stopped');
  for (const [line] of LINES) await sandbox.slack.person('ana').types('#ops', line);
  const reads = (words: string): Promise<unknown> =>
    sandbox.slack.until(() => readAll(sandbox).some((text) => text.startsWith(words)));
  for (const [, ended] of LINES) {
    await reads(`✅ ${ended}`);
    await reads(`@ana ${ended}`);
  }
  expect(powerCalls(sandbox)).toBe(LINES.length);
  expect(sandbox.logs.join('')).toContain('it is tried again');
  await sandbox.close();
  await proxy.stop();
  database.release();
});
