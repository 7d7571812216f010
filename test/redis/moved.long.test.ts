import dns from 'node:dns';
import { type AddressInfo, createServer } from 'node:net';
import { Redis } from 'ioredis';
import { describe, expect, it, type MockInstance, onTestFinished, vi } from 'vitest';
import { startRedis } from '../../sandbox/redis.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { connectFailFast } from '../../src/platform/redis/connection.ts';
import { openRedisAddress } from '../support/redis-address.ts';
import { answerTo, play, powerCalls, readAll, ready, urlOf } from '../support/sandbox.ts';
import { askUntil, until } from '../support/until.ts';

async function connected(url: string): Promise<Redis> {
  const redis = new Redis(url);
  onTestFinished(() => redis.disconnect());
  await redis.ping();
  return redis;
}

async function readyz(sandbox: Sandbox) {
  const answer = await fetch(urlOf(sandbox, '/readyz'));
  const { checks } = (await answer.json()) as { checks: { redis: string } };
  return { status: answer.status, redis: checks.redis };
}

/** Resolves with what `/readyz` says of Redis once that contains these words. */
async function saysOfRedis(sandbox: Sandbox, words: string): Promise<number> {
  const { status } = await askUntil(
    () => readyz(sandbox),
    ({ redis }) => redis.includes(words),
  );
  return status;
}

/** A bot at an address behind which a primary and its replica stand, on two sockets. */
async function playWithReplica(env: Record<string, string> = {}) {
  const sandbox = await play({ ownRedis: true, bot: false });
  const old = await connected(sandbox.redisUrl);
  const other = await startRedis();
  onTestFinished(() => other.stop());
  const next = await connected(other.url);
  const address = await openRedisAddress(sandbox.redisUrl);
  onTestFinished(() => sandbox.stopBots());
  const start = (more: Record<string, string> = {}) =>
    sandbox.startBot({ REDIS_URL: address.url, ...env, ...more });
  /** All that the old one holds, as a replica in step with it does. */
  const copy = async (): Promise<void> => {
    for (const key of await old.keys('*')) {
      const [ttl, dump] = [await old.pttl(key), await old.dumpBuffer(key)];
      if (dump) await next.restore(key, Math.max(0, ttl), dump, 'REPLACE');
    }
  };
  return { sandbox, old, next, other, address, start, copy };
}

describe('a Redis that has become a replica and keeps its connections', () => {
  it('is not ready, is not blamed on the hosting service, and works again when it is the primary', async () => {
    const sandbox = await play({ ownRedis: true, timings: { patienceMs: 30_000 } });
    const redis = await connected(sandbox.redisUrl);
    await redis.replicaof('127.0.0.1', '1');
    expect(await saysOfRedis(sandbox, 'this Redis is a replica, which takes no writes')).toBe(503);
    const no = await answerTo(sandbox, 'ana', '/instances restart web-1');
    // Or it has let go of that Redis just then.
    expect(no).toMatch(/read-only[^]*nothing was done|I lost touch with my database[^]*I don't know/);
    expect(no).not.toMatch(/hosting service|takes no more/);
    await redis.replicaof('NO', 'ONE');
    await ready(sandbox);
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('is left for the one to which its address leads by then, by web part and worker, and what was under way ends once', async () => {
    const { sandbox, old, other, address, start, copy } = await playWithReplica();
    await start({ LAMPLIGHTER_ROLE: 'worker' });
    await start({ LAMPLIGHTER_ROLE: 'web' });
    const ana = sandbox.slack.person('ana');
    const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
    await ana.types('#ops', '/instances restart web-1');
    await held.arrived;
    await copy();
    address.leadTo(other.url);
    // Like a replica that is out of touch with its primary: it answers with READONLY.
    await old.replicaof('127.0.0.1', '1');
    held.release();
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('Restarted web-1'));
    await ready(sandbox);
    await ana.types('#ops', '/instances restart web-2');
    await sandbox.slack.until(() => readAll(sandbox).length === 4 && readAll(sandbox)[3]?.includes('web-2'));
    expect(powerCalls(sandbox)).toBe(2);
  });
});

// The silence itself takes three seconds to be noticed, which is what the test is about.
it('a Redis that falls silent is left for the one to which its address leads by then', async () => {
  const { sandbox, other, address, start, copy } = await playWithReplica();
  await start();
  await ready(sandbox);
  await copy();
  address.leadTo(other.url);
  address.silence();
  expect(await saysOfRedis(sandbox, 'no answer')).toBe(503);
  await ready(sandbox);
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('Restarted web-1'));
  expect(powerCalls(sandbox)).toBe(1);
});

describe('a bot is not ready, and says why, while Redis', () => {
  it.each([
    ['is out of memory', ['maxmemory', '1'], ['maxmemory', '0'], 'its memory is full'],
    [
      'misses its replicas',
      ['min-replicas-to-write', '1'],
      ['min-replicas-to-write', '0'],
      'replicas are in step',
    ],
  ] as const)('%s', async (_name, worse, better, words) => {
    const sandbox = await play({ ownRedis: true, timings: { writeDownWithinMs: 2_000 } });
    const redis = await connected(sandbox.redisUrl);
    await redis.config('SET', ...worse);
    expect(await saysOfRedis(sandbox, words)).toBe(503);
    await until(() => sandbox.logs.some((line) => line.includes('not ready: redis: Redis takes no writes')));
    const no = await answerTo(sandbox, 'ana', '/instances restart web-1');
    expect(no).toContain("I can't write to my database");
    expect(no).not.toMatch(/hosting service|takes no more/);
    await redis.config('SET', ...better);
    await ready(sandbox);
  });

  it('forbids a command that only some of its writes need', async () => {
    const sandbox = await play({ ownRedis: true });
    const redis = await connected(sandbox.redisUrl);
    await redis.call('ACL', 'SETUSER', 'default', '-zadd');
    expect(await saysOfRedis(sandbox, 'lacks a permission')).toBe(503);
    await redis.call('ACL', 'SETUSER', 'default', '+zadd');
    await ready(sandbox);
  });

  it('does not know the commands any more with which its scripts are called', async () => {
    const sandbox = await play({ ownRedis: true });
    const redis = await connected(sandbox.redisUrl);
    await redis.call('ACL', 'SETUSER', 'default', '-evalsha');
    expect(await saysOfRedis(sandbox, 'lacks a permission')).toBe(503);
  });
});

it('however often it is asked whether it is ready, a bot asks Redis about once a second', async () => {
  const sandbox = await play({ ownRedis: true });
  const redis = await connected(sandbox.redisUrl);
  await redis.config('RESETSTAT');
  await Promise.all(Array.from({ length: 100 }, () => fetch(urlOf(sandbox, '/readyz'))));
  const stats = await redis.info('commandstats');
  // Each of its writes is one XADD.
  expect(Number(/cmdstat_xadd:calls=(\d+)/.exec(stats)?.[1] ?? 0)).toBeLessThanOrEqual(3);
});

it('the name of a Redis is looked up anew at each connection, so that a service can lead it elsewhere', async () => {
  const wentTo: string[] = [];
  const servers = ['127.0.0.1', '127.0.0.2'].map((host) => ({
    host,
    server: createServer((socket) => {
      socket.on('error', () => undefined).destroy();
      wentTo.push(host);
    }),
  }));
  let port = 0;
  for (const { host, server } of servers) {
    await new Promise<void>((done) => void server.listen(port, host, done));
    port = (server.address() as AddressInfo).port; // a TCP listener's address is never a string
  }
  let looked = 0;
  const lookUp = vi.spyOn(dns, 'lookup') as unknown as MockInstance;
  lookUp.mockImplementation((_name, options: { all?: boolean }, answer: (...said: unknown[]) => void) => {
    const { host = '' } = servers[Math.min(looked, 1)] ?? {};
    looked += 1;
    answer(null, ...(options.all === true ? [[{ address: host, family: 4 }]] : [host, 4]));
  });
  const redis = connectFailFast({ url: `redis://redis.test:${port}` }, () => undefined);
  await until(() => wentTo.length >= 2);
  redis.disconnect();
  lookUp.mockRestore();
  await Promise.all(servers.map(({ server }) => new Promise((done) => server.close(done))));
  expect(wentTo.slice(0, 2)).toEqual(['127.0.0.1', '127.0.0.2']);
});
