import { EventEmitter, once } from 'node:events';
import type { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/platform/log/log.ts';
import { createRunJob, handlerAtOneRedis } from '../../src/platform/queue/run-job.ts';
import { connectBlocking, disconnect } from '../../src/platform/redis/connection.ts';
import { createDepartures } from '../../src/core/departures.ts';
import { NotReplicated, surviving } from '../../src/platform/redis/survive.ts';
import { takeDatabase } from '../support/shared-redis.ts';

/** Runs `work` as a job; `beside`: what others do. Gives when it is to run again, and what was logged. */
async function runAsJob(
  work: (redis: Redis) => Promise<void>,
  beside: (redis: Redis) => void = () => undefined,
  replicas = 0,
): Promise<{ redis: Redis; delayMs: number | undefined; logged: string }> {
  const { url, release } = await takeDatabase();
  const redis = connectBlocking({ url, replicas }, () => undefined);
  onTestFinished(async () => {
    await disconnect(redis);
    release();
  });
  let logged = '';
  const log = createLog('warn', [], { write: (line) => void (logged += line) });
  const handler = async (): Promise<undefined> => {
    await work(redis);
    return undefined;
  };
  const run = createRunJob({ job: handlerAtOneRedis(handler) }, { longestBackOffMs: 1_000 }, log);
  await redis.ping();
  beside(redis);
  const delayMs = await run('job', 'id', new AbortController().signal);
  return { redis, delayMs, logged };
}

/** As where another Redis takes over. */
async function connectAnew(redis: Redis): Promise<void> {
  redis.disconnect(true);
  await once(redis, 'ready');
}

it('a job takes no step at another Redis than the one before, and begins anew without a word', async () => {
  const { redis, delayMs, logged } = await runAsJob(async (connection) => {
    await connection.set('first', 'written');
    await connectAnew(connection);
    await connection.set('second', 'written');
  });
  expect(await redis.mget('first', 'second')).toEqual(['written', null]);
  expect(delayMs).toBeLessThan(1_000);
  expect(logged).toBe('');
});

it('nor is a step sent once more there that was on its way', async () => {
  const { redis, delayMs } = await runAsJob(async (connection) => {
    await connection.set('first', 'written');
    connection.disconnect(true);
    await connection.set('second', 'written');
  });
  expect(await redis.mget('first', 'second')).toEqual(['written', null]);
  expect(delayMs).toBeLessThan(1_000);
});

it('the first step is sent once more, as nothing was built on yet', async () => {
  const { redis, delayMs } = await runAsJob(async (connection) => {
    const written = connection.set('first', 'written');
    connection.disconnect(true);
    await written;
  });
  expect(await redis.get('first')).toBe('written');
  expect(delayMs).toBeUndefined();
});

it('what is certain is built on at another, as the answer to a call is', async () => {
  const { redis, delayMs } = await runAsJob(async (connection) => {
    const survive = surviving(connection);
    await connection.set('first', 'written');
    await survive();
    await connectAnew(connection);
    await connection.set('second', 'written');
  });
  expect(await redis.mget('first', 'second')).toEqual(['written', 'written']);
  expect(delayMs).toBeUndefined();
});

it('what others ask for meanwhile, and what a job leaves behind, is done at the next', async () => {
  const jobs = new EventEmitter();
  const { redis, delayMs } = await runAsJob(
    async (connection) => {
      await connection.set('first', 'written');
      void once(jobs, 'ended').then(() => connection.set('left', 'written'));
      connection.disconnect(true);
      await connection.set('second', 'written');
    },
    (connection) => connection.once('close', () => void connection.set('other', 'written')),
  );
  jobs.emit('ended');
  await expect
    .poll(() => redis.mget('first', 'second', 'other', 'left'))
    .toEqual(['written', null, 'written', 'written']);
  expect(delayMs).toBeLessThan(1_000);
});

it('a job that makes nothing of a refused step begins anew all the same', async () => {
  const { redis, delayMs } = await runAsJob(async (connection) => {
    await connection.set('first', 'written');
    await connectAnew(connection);
    await connection.set('second', 'written').catch(() => undefined);
  });
  expect(await redis.get('second')).toBeNull();
  expect(delayMs).toBeLessThan(1_000);
});

it('what could not be made certain because another Redis took over is no fault of the job that asked first', async () => {
  const faults: unknown[] = [];
  await runAsJob(
    async (connection) => {
      const survive = surviving(connection);
      await connection.set('first', 'written');
      const certain = survive().catch((error: unknown) => faults.push(error));
      await connectAnew(connection);
      await certain;
    },
    undefined,
    1,
  );
  expect(faults).toEqual([expect.any(NotReplicated)]);
});

it('what is to leave and is not certain is taken back at the next', async () => {
  const { redis } = await runAsJob(async (connection) => {
    const departures = createDepartures({ sendWithinMs: 1_000 }, createLog('silent', []));
    await departures.writeDown(
      async (start) => {
        start();
        await connection.set('first', 'leaves');
        await connectAnew(connection);
        throw new NotReplicated('the connection ended meanwhile');
      },
      () => connection.set('first', 'stays'),
    );
  });
  expect(await redis.get('first')).toBe('stays');
});
