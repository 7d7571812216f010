import { expect, it } from 'vitest';
import { isRedisAway } from '../../src/platform/redis/away.ts';
import type { Redis } from 'ioredis';
import { connectFailFast, type RedisConnection } from '../../src/platform/redis/connection.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { takeDatabase } from '../support/shared-redis.ts';

/** Longer than a command may take: the tests wait for that long, since it is what they are about. */
const LONG_MS = 1_200;

/** Nothing else runs in this process for so long, as on a machine that is busy with others. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Three ways to ask. */
function askAll(redis: RedisConnection): Promise<unknown>[] {
  return [redis.set('a', '1'), redis.multi().get('a').exec(), redis.eval("return 'yes'", 0)];
}

async function open(url: string): Promise<Redis> {
  const redis = connectFailFast({ url }, () => undefined);
  await expect.poll(() => redis.status).toBe('ready');
  return redis;
}

it('what Redis answered while the process stood still is taken, however long that was', async () => {
  const { url, release } = await takeDatabase();
  const redis = await open(url);
  const asked = askAll(redis);
  await new Promise((done) => setImmediate(done));
  standStill(LONG_MS);
  expect(await Promise.all(asked)).toEqual(['OK', [[null, '1']], 'yes']);
  redis.disconnect();
  release();
});

it('what Redis does not answer fails as a Redis that is away', async () => {
  const { url, release } = await takeDatabase();
  const proxy = await startRedisProxy(url);
  const redis = await open(proxy.url);
  proxy.freeze();
  for (const { status, reason } of (await Promise.allSettled(askAll(redis))) as PromiseRejectedResult[])
    expect([status, isRedisAway(reason)]).toEqual(['rejected', true]);
  redis.disconnect();
  await proxy.stop();
  release();
});
