import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type PrivateRedis, startRedis } from '../../sandbox/redis.ts';
import { createBudget } from '../../src/platform/hosting/budget.ts';
import { connectBlocking, disconnect } from '../../src/platform/redis/connection.ts';
import { budgetKeys } from '../../src/platform/hosting/budget.ts';

let redis: PrivateRedis;

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

// rate-limiter-flexible blocks for ever when the duration is 0 ("Retry-After: 0",
// or a reset or a date that has passed): every process of this API key is stopped until the key is deleted.
test('a pause of no time at all stops nobody', async () => {
  const connection = connectBlocking(redis.url, () => undefined);
  onTestFinished(() => disconnect(connection));
  await connection.ping();
  const budget = createBudget(connection, 'key', { requests: 20, seconds: 60 });
  await budget.pause(0);
  const [name] = await connection.keys(`${budgetKeys.all}*`);
  expect(name === undefined ? 'no block' : await connection.ttl(name)).not.toBe(-1);
  await budget.take('write', 'testing', 0);
});
