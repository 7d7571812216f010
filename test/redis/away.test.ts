import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { isRedisAway, unlessRedisIsAway } from '../../src/platform/redis/away.ts';
import { connectBlocking, connectFailFast } from '../../src/platform/redis/connection.ts';
import { instead } from '../support/instead.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { answerTo, play } from '../support/sandbox.ts';
import { takeDatabase } from '../support/shared-redis.ts';

const bug = (): never => {
  throw new TypeError('a bug');
};

describe('while Redis is away', () => {
  it('an instance and its add-ons are shown without anything to press', async () => {
    const sandbox = await play({ ownRedis: true, env: { LAMPLIGHTER_EVERYONE: 'admin' } });
    await sandbox.redis!.kill();
    const card = await answerTo(sandbox, 'ana', '/instances show web-1');
    expect(card).toContain('web-1 (101) · running');
    expect(card).not.toContain('[ Restart ]');
    const addons = await answerTo(sandbox, 'ana', '/addons web-1');
    expect(addons).toContain('llm (standard)');
    expect(addons).not.toContain('Remove');
    await sandbox.redis!.restart();
  });

  it('what ioredis throws is known as that, whatever was asked', async () => {
    const redis = connectFailFast({ url: 'redis://127.0.0.1:1' }, () => undefined);
    const failing = [() => redis.get('x'), () => redis.multi().get('x').exec(), () => redis.time()];
    for (const ask of failing) {
      const error: unknown = await ask().catch((thrown: unknown) => thrown);
      expect(isRedisAway(error), String(error)).toBe(true);
    }
    redis.disconnect();
    const closed = new Redis({ lazyConnect: true, enableOfflineQueue: false });
    closed.disconnect();
    expect(isRedisAway(await closed.get('x').catch((thrown: unknown) => thrown))).toBe(true);
    closed.disconnect();
  });
});

it.each([
  ['waits', connectBlocking],
  ['fails fast', connectFailFast],
])(
  'a connection that %s and is closed between two tries has ended, and what was asked of it, too',
  async (_, make) => {
    const redis = make({ url: 'redis://127.0.0.1:1' }, () => undefined);
    await new Promise((resolve) => redis.once('reconnecting', resolve));
    const asked = redis.get('x').catch((error: unknown) => error);
    redis.disconnect();
    expect(redis.status).toBe('end');
    expect(isRedisAway(await asked)).toBe(true);
  },
);

it('what was on its way as a connection broke is given up once that is closed, however often it was tried again', async () => {
  const { url, release } = await takeDatabase();
  const proxy = await startRedisProxy(url);
  const redis = connectBlocking({ url: proxy.url }, () => undefined);
  await redis.ping();
  proxy.freeze();
  const asked = redis.get('x').catch((error: unknown) => error);
  proxy.cut();
  for (let tries = 0; tries < 2; tries++) await new Promise((resolve) => redis.once('reconnecting', resolve));
  redis.disconnect();
  expect(isRedisAway(await asked)).toBe(true);
  await proxy.stop();
  release();
});

describe('a bug behind what can be pressed', () => {
  it('is said as one, and does not pass as Redis being away', async () => {
    const sandbox = await play({ ownRedis: true, env: { LAMPLIGHTER_EVERYONE: 'admin' } });
    await sandbox.stopBots();
    await sandbox.startBot({}, instead('offers', 'make', bug));
    const wrong = 'Something went wrong on our side';
    expect(await answerTo(sandbox, 'ana', '/instances show web-1')).toContain(`Show web-1: ${wrong}`);
    expect(await answerTo(sandbox, 'ana', '/addons web-1')).toContain(`List web-1: ${wrong}`);
  });

  it('is thrown on', async () => {
    await expect(unlessRedisIsAway(Promise.reject(new TypeError('x')), 1)).rejects.toThrow('x');
    expect(await unlessRedisIsAway(Promise.reject(new Error('Redis gave no answer in time')), 1)).toBe(1);
    expect(isRedisAway('Redis gave no answer in time')).toBe(false);
  });
});
