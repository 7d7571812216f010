import { expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/platform/log/log.ts';
import { createQueue } from '../../src/platform/queue/queue.ts';
import { createRunJob } from '../../src/platform/queue/run-job.ts';
import { createWorker } from '../../src/platform/queue/worker.ts';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import { takeDatabase } from '../support/shared-redis.ts';

const EVERY_MS = 100;
const TIMINGS = { jobLockMs: 1_000, longestBackOffMs: 1_000 };

it.each([-600_000, 600_000])(
  "what is done again and again goes on where the host's clock is set by %i ms",
  async (byMs) => {
    const { url, release } = await takeDatabase();
    const connections = [
      connectBlocking({ url }, () => undefined),
      connectBlocking({ url }, () => undefined),
    ] as const;
    const queue = createQueue({ connection: connections[0], prefix: '' });
    const jobs = queue.of('');
    let count = 0;
    const run = async (): Promise<number> => {
      count += 1;
      return EVERY_MS;
    };
    const log = createLog('silent', []);
    const worker = createWorker({ connection: connections[1], prefix: '' }, TIMINGS, log);
    worker.serve('', createRunJob({ tick: run }, TIMINGS, log));
    worker.start();
    onTestFinished(async () => {
      await worker.drain(1_000);
      await queue.close();
      for (const one of connections) one.disconnect();
      release();
    });
    await jobs.wake('tick', 'id');
    await expect.poll(() => count).toBeGreaterThan(2);
    const now = Date.now.bind(Date);
    vi.spyOn(Date, 'now').mockImplementation(() => now() + byMs);
    onTestFinished(() => void vi.restoreAllMocks());
    // As the sweep does once it is overdue.
    await jobs.ensure('tick', 'id');
    const before = count;
    await expect.poll(() => count).toBeGreaterThan(before + 3);
  },
);
