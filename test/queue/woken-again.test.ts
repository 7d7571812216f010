import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/platform/log/log.ts';
import { createQueue, type UnderWay } from '../../src/platform/queue/queue.ts';
import { createRunJob, type JobHandler } from '../../src/platform/queue/run-job.ts';
import { createWorker } from '../../src/platform/queue/worker.ts';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import { takeDatabase } from '../support/shared-redis.ts';

const TIMINGS = { jobLockMs: 60_000, longestBackOffMs: 60_000 };

/** A worker whose one kind of job `handler` does, without any sweep. */
async function work(handler: JobHandler, { jobLockMs }: { readonly jobLockMs: number } = TIMINGS) {
  const { url, release } = await takeDatabase();
  const connections = [1, 2, 3].map(() => connectBlocking({ url }, () => undefined));
  const [ofQueue, ofWorker, ofOther] = connections;
  if (!ofQueue || !ofWorker || !ofOther) throw new Error('no connections');
  const underWay: UnderWay = new Map();
  const queue = createQueue({ connection: ofQueue, prefix: '' }, underWay);
  const log = createLog('silent', []);
  const start = (connection: typeof ofQueue) => {
    const worker = createWorker({ connection, prefix: '' }, { jobLockMs }, log, underWay);
    worker.serve('', createRunJob({ job: handler }, TIMINGS, log));
    worker.start();
    return worker;
  };
  const worker = start(ofWorker);
  onTestFinished(async () => {
    await worker.drain(2_000);
    await queue.close();
    for (const one of connections) one.disconnect();
    release();
  });
  return { queue: queue.of(''), redis: ofQueue, worker, startOther: () => start(ofOther) };
}

it.each([
  ['it is through', undefined],
  ['it asks for a minute', 60_000],
])('a job that is woken as it runs runs once more, although %s', async (_name, delayMs) => {
  let runs = 0;
  const { queue } = await work(async () => {
    runs += 1;
    // As others write something down that the run has read before.
    if (runs === 1) await queue.wake('job', 'a');
    return delayMs;
  });
  await queue.wake('job', 'a');
  await expect.poll(() => runs).toBe(2);
});

it('a job that the end of its process cuts short goes on in another at once', async () => {
  const runs: AbortSignal[] = [];
  const { queue, worker, startOther } = await work(async (_id, signal) => {
    runs.push(signal);
    if (runs.length === 1) await new Promise((done) => signal.addEventListener('abort', done));
    return undefined;
  });
  await queue.wake('job', 'a');
  await expect.poll(() => runs.length).toBe(1);
  await worker.drain(2_000);
  const other = startOther();
  await expect.poll(() => runs.length).toBe(2);
  await other.drain(2_000);
});

it('a job whose lock another process may have by then is told to stop', async () => {
  const signals: AbortSignal[] = [];
  const { queue, redis } = await work(
    async (_id, signal) => {
      signals.push(signal);
      await new Promise((done) => signal.addEventListener('abort', done));
      return undefined;
    },
    { jobLockMs: 4_000 },
  );
  await queue.wake('job', 'a');
  await expect.poll(() => signals.length).toBe(1);
  const locks = await redis.keys('*:lock');
  expect(locks).toHaveLength(1);
  await redis.set(locks[0] ?? '', 'another process');
  await expect.poll(() => signals[0]?.aborted).toBe(true);
});
