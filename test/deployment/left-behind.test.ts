import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { requestKeys } from '../../src/core/ask/ask.ts';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { POSTS } from '../../src/core/outbox/outbox.ts';
import { answerTo, play } from '../support/sandbox.ts';

it('what is to be done at once is never said to be due since 1970', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_ROLE: 'web' } });
  const redis = new Redis(sandbox.redisUrl);
  const atOnce = [operationKeys.open, operationKeys.polled, requestKeys.open];
  for (const key of atOnce) await redis.zadd(key, 0, 'at-once');
  await redis.zadd(POSTS.index, 0, 'at-once', Date.now() - 3_600_000, 'late');
  const answer = await answerTo(sandbox, 'admin', '/lamplighter doctor');
  expect(answer).not.toContain('1970');
  expect(answer).toContain('The oldest waiting message was due');
  expect(answer).not.toMatch(/The oldest waiting (operation|look|request)/);
  await redis.del(...atOnce, POSTS.index);
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
