import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/platform/log/log.ts';
import { createWorker } from '../../src/platform/queue/worker.ts';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import { takeDatabase } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';

const TIMINGS = { jobLockMs: 800 };
/** So long no machine takes for it. */
const LIMIT_MS = 20_000;
const SILENT = createLog('silent', []);

async function startWorker() {
  const { url, release } = await takeDatabase();
  const connection = connectBlocking({ url }, () => undefined);
  onTestFinished(() => {
    connection.disconnect();
    release();
  });
  const worker = createWorker({ connection, prefix: '' }, TIMINGS, SILENT);
  worker.start();
  return worker;
}

it.each([
  ['breaks', () => Promise.reject(new Error('the loop broke')), 'the loop broke'],
  ['comes to its end', () => Promise.resolve(), 'the queue worker ended by itself'],
])('a worker whose loop %s by itself leaves the process nothing to live for', async (_name, run, words) => {
  vi.spyOn(Worker.prototype, 'run').mockImplementationOnce(run);
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  const nobody = new Promise<unknown>((resolve) => process.once('unhandledRejection', resolve));
  const worker = await startWorker();
  expect(String(await nobody)).toContain(words);
  for (const one of others) process.on('unhandledRejection', one);
  await worker.drain(500);
});

it('a worker that is told to stop ends nothing else', async () => {
  const worker = await startWorker();
  const ended = vi.fn<() => void>();
  process.once('unhandledRejection', ended);
  await worker.drain(2_000);
  await new Promise(setImmediate);
  process.off('unhandledRejection', ended);
  expect(ended).not.toHaveBeenCalled();
});

it('a worker ends, and is not given up at the limit, while its connection waits to be made again', async () => {
  const { url, release } = await takeDatabase();
  const connects = vi.spyOn(Redis.prototype, 'connect');
  const connection = connectBlocking({ url }, () => undefined);
  onTestFinished(() => {
    connection.disconnect();
    connects.mockRestore();
    release();
  });
  const worker = createWorker({ connection, prefix: '' }, TIMINGS, SILENT);
  worker.start();
  const made = (): Redis | undefined => connects.mock.contexts.find((one) => one !== connection) as Redis;
  await until(() => made()?.status === 'ready');
  const asking = made()!;
  const waits = new Promise((resolve) => asking.once('reconnecting', resolve));
  asking.stream.destroy();
  await waits;
  await worker.drain(LIMIT_MS);
  expect(worker.isRunning()).toBe(false);
});
