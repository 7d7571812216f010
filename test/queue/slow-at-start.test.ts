import { expect, it } from 'vitest';
import { connectFailFast } from '../../src/platform/redis/connection.ts';
import { createQueue } from '../../src/platform/queue/queue.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { takeDatabase } from '../support/shared-redis.ts';

/** Longer than a command may take: the test waits for that long, since it is what it is about. */
const LONG_MS = 1_200;

it('a queue for which Redis was too slow as the process began wakes jobs all the same, once Redis answers', async () => {
  const { url, release } = await takeDatabase();
  const proxy = await startRedisProxy(url);
  const redis = connectFailFast({ url: proxy.url }, () => undefined);
  await expect.poll(() => redis.status).toBe('ready');
  proxy.freeze();
  const queue = createQueue({ connection: redis, prefix: '' });
  const jobs = queue.of('');
  await expect(jobs.wake('a-job', 'early')).rejects.toThrow();
  await new Promise((done) => setTimeout(done, LONG_MS));
  proxy.thaw();

  await expect.poll(() => jobs.wake('a-job', 'one').then(() => 'woken', String)).toBe('woken');
  expect(await jobs.ensure('a-job', 'two')).toBe(true);
  await queue.close();
  redis.disconnect();
  await proxy.stop();
  release();
});
