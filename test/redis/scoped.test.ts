import { expect, it, onTestFinished } from 'vitest';
import { connectBlocking, connectFailFast, redisFaultOf } from '../../src/platform/redis/connection.ts';
import { takeLock } from '../../src/platform/redis/lock.ts';
import { scopedTo } from '../../src/platform/redis/key.ts';
import { surviving, waitForReplicas } from '../../src/platform/redis/survive.ts';
import { connectDatabase, takeDatabase } from '../support/shared-redis.ts';

const count = async (text: Promise<string>): Promise<number> => (await text).trim().split('\n').length;

it.each([
  ['what a person waits for', connectFailFast],
  ['what waits for Redis', connectBlocking],
])(
  'a hundred accounts ask over one connection, and none finds what is of another: %s',
  async (_, connect) => {
    const { url, release } = await takeDatabase();
    const shared = connect({ url }, () => undefined);
    onTestFinished(() => {
      shared.disconnect();
      release();
    });
    await expect.poll(() => shared.status).toBe('ready');
    const before = await count(shared.client('LIST') as Promise<string>);
    const names = Array.from({ length: 100 }, (_each, nth) => `account ${nth}`);
    const accounts = names.map((name) => ({ name, redis: scopedTo(`${name}:`, shared) }));
    await Promise.all(
      accounts.map(async ({ name, redis }) => {
        await redis.set('name', name);
        await redis.multi().hset('both', 'first', name).hset('both', 'second', name).exec();
        // By a script, whose keys have the scope as well.
        expect(await takeLock(redis, 'lock', name, 60_000)).toBe(true);
      }),
    );
    expect(await Promise.all(accounts.map(({ redis }) => redis.get('name')))).toEqual(names);
    const [{ redis: first }] = accounts as [(typeof accounts)[number]];
    expect(await first.hgetall('both')).toEqual({ first: 'account 0', second: 'account 0' });
    expect(await shared.get('account 7:lock')).toBe('account 7');
    expect(await shared.exists('name', 'both', 'lock')).toBe(0);
    expect(await count(shared.client('LIST') as Promise<string>)).toBe(before);
  },
);

it('a transaction of one account is done as a whole, whatever others ask meanwhile', async () => {
  const shared = await connectDatabase();
  const [one, other] = [scopedTo('one:', shared), scopedTo('other:', shared)];
  const moves = Array.from({ length: 200 }, () => {
    const move = one.multi().incr('from').incr('to').exec();
    return [move, other.incr('from')];
  });
  const seen = await Promise.all(moves.flat());
  expect(seen.filter(Array.isArray)).toEqual(
    Array.from({ length: 200 }, (_, nth) => [
      [null, nth + 1],
      [null, nth + 1],
    ]),
  );
  expect(await one.mget('from', 'to')).toEqual(['200', '200']);
  expect(await other.mget('from', 'to')).toEqual(['200', null]);
});

it('what an account hears of its connection, and what it must outlive, are those of the one that is shared', async () => {
  const shared = connectFailFast({ url: 'redis://127.0.0.1:1' }, () => undefined);
  const one = scopedTo('one:', shared);
  await expect.poll(() => redisFaultOf(one)?.message).toContain('ECONNREFUSED');
  shared.disconnect();

  const { url, release } = await takeDatabase();
  const there = connectFailFast({ url }, () => undefined);
  onTestFinished(() => {
    there.disconnect();
    release();
  });
  const other = scopedTo('other:', there);
  await new Promise((done) => other.once('ready', () => done(undefined)));
  expect(other.status).toBe('ready');
  waitForReplicas(there, { url, replicas: 1 });
  await expect(surviving(other)()).rejects.toThrow('too few replicas');
});
