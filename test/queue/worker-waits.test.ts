import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/platform/log/log.ts';
import { createQueue } from '../../src/platform/queue/queue.ts';
import { createWorker } from '../../src/platform/queue/worker.ts';
import { connectBlocking, connectFailFast, WAITS_FOR_A_JOB_S } from '../../src/platform/redis/connection.ts';
import { takeDatabase } from '../support/shared-redis.ts';

const TIMINGS = { jobLockMs: 800, stalledEveryMs: 400, longestBackOffMs: 2_000 };

it('a worker whose next job is put off for a minute asks no longer than its connection may be silent', async () => {
  const { url, release } = await takeDatabase();
  const [redis, connection] = [connectFailFast(url, () => undefined), connectBlocking(url, () => undefined)];
  const queue = createQueue({ connection: redis, scope: '' });
  const monitor = await redis.duplicate().monitor();
  const { db = 0 } = redis.options;
  const waits: number[] = [];
  monitor.on('monitor', (_time: string, [command, ...words]: string[], _source: string, database: string) => {
    if (command?.toLowerCase() === 'bzpopmin' && Number(database) === db) waits.push(Number(words.at(-1)));
  });
  await expect.poll(() => queue.wake('a-job', 'one').then(() => 'woken', String)).toBe('woken');
  const worker = createWorker(
    { connection, scope: '' },
    { 'a-job': async () => 60_000 },
    TIMINGS,
    createLog('silent', []),
  );
  onTestFinished(async () => {
    await worker.drain(2_000);
    await queue.close();
    for (const one of [monitor, redis, connection]) one.disconnect();
    release();
  });
  await expect.poll(() => waits.length, { timeout: 5_000 }).toBeGreaterThan(0);
  expect(Math.max(...waits)).toBeLessThanOrEqual(WAITS_FOR_A_JOB_S);
});
