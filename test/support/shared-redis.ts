import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { connectBlocking } from '../../src/platform/redis/connection.ts';
import { startRedisCluster } from '../../sandbox/redis-cluster.ts';
import { findRedisServer, type PrivateRedis, startRedis } from '../../sandbox/redis.ts';
import { leastUser } from './least-user.ts';

/** A database of a Redis that is shared; `release` lets another test take it. */
export interface Database {
  readonly url: string;
  /** The same for a bot: in a cluster as the user that the manual gives it. */
  readonly urlOfBot: string;
  /** What it was emptied by, which stays open for whoever takes it next. */
  readonly redis: Redis;
  release(): void;
}

/** As many as Redis has by itself. */
const DATABASES = 16;

/** A folder of Linux that is kept in memory. */
const IN_MEMORY = '/dev/shm';
/** Many times what the files of all workers take together. */
const ENOUGH_BYTES = 1_000_000_000;

/** Whether all tests run on a cluster of three masters: `npm run test:cluster`. */
const IS_CLUSTER = process.env['LAMPLIGHTER_TEST_REDIS'] === 'cluster';

let started: Promise<PrivateRedis> | undefined;
/** One to each database that was taken. */
const connections = new Map<string, Redis>();
/** The one that was given back longest ago comes first, so that what a test left running writes elsewhere. */
const free = Array.from({ length: IS_CLUSTER ? 1 : DATABASES }, (_, index) => index);

/**
 * An empty database of the one Redis that all tests of this process share: starting one takes four times as long as
 * emptying a database.
 */
export async function takeDatabase(): Promise<Database> {
  const { url } = await (started ??= IS_CLUSTER
    ? startRedisCluster({ user: leastUser({ inCluster: true }).rules })
    : startRedis(findRedisServer(), findFolder()));
  const index = free.shift();
  if (index === undefined) throw new Error('more sandboxes at once than there are databases');
  // A cluster has one.
  const address = IS_CLUSTER ? url : `${url}?db=${index}`;
  const redis = connections.get(address) ?? connectBlocking({ url: address }, () => undefined);
  connections.set(address, redis);
  await redis.flushdb();
  const urlOfBot = IS_CLUSTER ? address.replace('://', `://${leastUser().login}@`) : address;
  return { url: address, urlOfBot, redis, release: () => void free.push(index) };
}

/** It is never killed, so nothing is proved by a disk that is waited for at each write. */
function findFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize > ENOUGH_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** A connection to such a database, which is given back after the test. */
export async function connectDatabase(): Promise<Redis> {
  const { url, release } = await takeDatabase();
  const redis = connectBlocking({ url }, () => undefined);
  onTestFinished(() => {
    redis.disconnect();
    release();
  });
  return redis;
}

/** A connection to the Redis of a sandbox, which is closed after the test. */
export function connectTo({ redisUrl }: { readonly redisUrl: string }): Redis {
  const redis = connectBlocking({ url: redisUrl }, () => undefined);
  onTestFinished(() => redis.disconnect());
  return redis;
}
