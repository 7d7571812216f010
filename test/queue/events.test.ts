import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { createQueue, QUEUE, QUEUE_PREFIX } from '../../src/platform/queue/queue.ts';
import { rowOf } from '../support/redis-keys.ts';
import { takeDatabase } from '../support/shared-redis.ts';

it('what happened to jobs, which nobody reads, is kept of no more than docs/redis-keys.md says', async () => {
  const database = await takeDatabase();
  const redis = new Redis(database.url, { maxRetriesPerRequest: null });
  const queue = createQueue({ connection: redis, prefix: '' });
  const jobs = queue.of('');
  onTestFinished(async () => {
    await queue.close();
    redis.disconnect();
    database.release();
  });
  const ids = Array.from({ length: 1_000 }, (_, index) => `${index}`);
  // One after another at first: BullMQ writes its settings down beside them.
  for (const id of ids.slice(0, 50)) await jobs.wake('a-job', id);
  await Promise.all(ids.map((id) => jobs.wake('another-job', id)));
  const key = `${QUEUE_PREFIX}:${QUEUE}:events`;
  expect(await redis.xlen(key)).toBeLessThanOrEqual(rowOf(key)?.entries.most ?? 0);
});
