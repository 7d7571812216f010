import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { connectBlocking, connectFailFast } from '../../src/platform/redis/connection.ts';
import { takeDatabase } from '../support/shared-redis.ts';

const fault = (error: Error): never => {
  throw error;
};

it.each([
  ['what a person waits for', connectFailFast],
  ['what waits for Redis', connectBlocking],
] as const)(
  'commands of one turn of the event loop leave at its end, together: %s',
  async (_what, connect) => {
    const { url, release } = await takeDatabase();
    const redis = connect({ url }, fault);
    onTestFinished(() => {
      redis.disconnect();
      release();
    });
    if (redis.status !== 'ready') await once(redis, 'ready');
    const first = redis.set('boat', 'Ada');
    const held = redis.stream.writableLength;
    // What leaves by itself has nothing left to write.
    expect(held).toBeGreaterThan(0);
    await Promise.resolve();
    const second = redis.get('boat');
    expect(redis.stream.writableLength).toBeGreaterThan(held);
    expect(await Promise.all([first, second])).toEqual(['OK', 'Ada']);
    expect(redis.stream.writableCorked).toBe(0);
  },
);
