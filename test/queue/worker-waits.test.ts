import { Redis } from 'ioredis';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/platform/log/log.ts';
import { createQueue } from '../../src/platform/queue/queue.ts';
import { createWorker } from '../../src/platform/queue/worker.ts';
import { connectBlocking, connectFailFast, WAITS_FOR_A_JOB_S } from '../../src/platform/redis/connection.ts';
import { takeDatabase } from '../support/shared-redis.ts';

const TIMINGS = { jobLockMs: 800 };

it('a worker whose next job is put off for a minute asks no longer than its connection may be silent', async () => {
  const { url, release } = await takeDatabase();
  const [redis, connection] = [
    connectFailFast({ url }, () => undefined),
    connectBlocking({ url }, () => undefined),
  ];
  const queue = createQueue({ connection: redis, prefix: '' });
  const asked = vi.spyOn(Redis.prototype, 'bzpopmin');
  await expect
    .poll(() =>
      queue
        .of('')
        .wake('a-job', 'one')
        .then(() => 'woken', String),
    )
    .toBe('woken');
  const worker = createWorker({ connection, prefix: '' }, TIMINGS, createLog('silent', []));
  worker.serve('', async () => 60_000);
  worker.start();
  onTestFinished(async () => {
    await worker.drain(2_000);
    await queue.close();
    for (const one of [redis, connection]) one.disconnect();
    asked.mockRestore();
    release();
  });
  await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(0);
  const waitsS = asked.mock.calls.map((words) => Number(words.at(-1)));
  expect(Math.max(...waitsS)).toBeLessThanOrEqual(WAITS_FOR_A_JOB_S);
});
