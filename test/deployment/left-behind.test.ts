import { Redis } from 'ioredis';
import { Queue } from 'bullmq';
import { expect, it } from 'vitest';
import { requestKeys } from '../../src/core/ask/keys.ts';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { outboxKeys } from '../../src/core/outbox/keys.ts';
import { createQueue, QUEUE, QUEUE_PREFIX } from '../../src/platform/queue/queue.ts';
import { answerTo, play } from '../support/sandbox.ts';

it('a schedule that another hosting service left behind ends, and those of this one stay', async () => {
  const sandbox = await play({ bot: false, timings: { billingCheckEveryMs: 60_000 } });
  const redis = new Redis(sandbox.redisUrl, { maxRetriesPerRequest: null });
  const left = createQueue({ connection: redis, scope: '' });
  const gone = ['look-at-a-bill', 'look-at-a-wallet', 'look-at-a-quota'];
  for (const name of gone) await left.schedule(name, 'main', 50);
  await sandbox.startBot();
  const queue = new Queue(QUEUE, { connection: redis, prefix: QUEUE_PREFIX });
  const names = async (): Promise<string[]> => (await queue.getJobSchedulers()).map(({ name }) => name);
  await expect
    .poll(names, { timeout: 20_000 })
    .not.toEqual(expect.arrayContaining([expect.stringMatching(/^look-at-a-(bill|wallet|quota)$/)]));
  await expect.poll(names, { timeout: 20_000 }).toHaveLength(1);
  await Promise.all([left.close(), queue.close()]);
  redis.disconnect();
});

it('what is to be done at once is never said to be due since 1970', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_ROLE: 'web' } });
  const redis = new Redis(sandbox.redisUrl);
  const atOnce = [operationKeys.open, operationKeys.polled, requestKeys.open];
  for (const key of atOnce) await redis.zadd(key, 0, 'at-once');
  await redis.zadd(outboxKeys.open, 0, 'at-once', Date.now() - 3_600_000, 'late');
  const answer = await answerTo(sandbox, 'admin', '/lamplighter doctor');
  expect(answer).not.toContain('1970');
  expect(answer).toContain('The oldest message that waits was due');
  expect(answer).not.toMatch(/The oldest (operation|look|request) that waits/);
  await redis.del(...atOnce, outboxKeys.open);
  redis.disconnect();
});

it.each([
  ['Etc/GMT+2', 'Etc/GMT+2 is UTC-2 then.'],
  ['Etc/GMT-5', 'Etc/GMT-5 is UTC+5 then.'],
  ['Asia/Kolkata', 'is UTC+5:30 then.'],
])('a schedule in %s says what that means', async (zone, words) => {
  const sandbox = await play();
  const answer = await answerTo(sandbox, 'ana', `/instances schedule web-1 stop at 20:00 daily ${zone}`);
  expect(answer).toContain(words);
});

it('so does a digest', async () => {
  const sandbox = await play({ env: { BILLING_CHANNELS: 'C0OPS000001' } });
  const answer = await answerTo(sandbox, 'admin', '/billing digest weekly mon 09:00 Etc/GMT+2');
  expect(answer).toContain('(Etc/GMT+2, which is UTC-2)');
});
