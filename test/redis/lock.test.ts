import { expect, it, onTestFinished } from 'vitest';
import { connectFailFast } from '../../src/platform/redis/connection.ts';
import { releaseLock, takeLock } from '../../src/platform/redis/lock.ts';
import { takeDatabase } from '../support/shared-redis.ts';

it("a lock is one process's alone, ends by itself, and is given back only by its owner", async () => {
  const database = await takeDatabase();
  const redis = connectFailFast({ url: database.url }, () => undefined);
  onTestFinished(() => {
    redis.disconnect();
    database.release();
  });
  await new Promise((done) => redis.once('ready', done));
  expect(await takeLock(redis, 'lock', 'one', 60_000)).toBe(true);
  expect(await takeLock(redis, 'lock', 'other', 60_000)).toBe(false);
  // As the driver does where it lost the answer.
  expect(await takeLock(redis, 'lock', 'one', 60_000)).toBe(true);
  expect(await redis.pttl('lock')).toBeGreaterThan(0);
  await releaseLock(redis, 'lock', 'other');
  expect(await takeLock(redis, 'lock', 'other', 60_000)).toBe(false);
  await releaseLock(redis, 'lock', 'one');
  expect(await takeLock(redis, 'lock', 'other', 60_000)).toBe(true);
  // As a tool leaves it that copies keys without their ends.
  await redis.persist('lock');
  expect(await takeLock(redis, 'lock', 'one', 60_000)).toBe(true);
});
