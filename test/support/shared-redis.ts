import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { type PrivateRedis, startRedis } from '../../sandbox/redis.ts';

/** A database of a Redis that is shared; `release` lets another test take it. */
export interface Database {
  readonly url: string;
  release(): void;
}

/** As many as Redis has by itself. */
const DATABASES = 16;

let started: Promise<PrivateRedis> | undefined;
/** The one that was given back longest ago comes first, so that what a test left running writes elsewhere. */
const free = Array.from({ length: DATABASES }, (_, index) => index);

/**
 * An empty database of the one Redis that all tests of this process share: starting one takes four times as long as
 * emptying a database.
 */
export async function takeDatabase(): Promise<Database> {
  const { url } = await (started ??= startRedis());
  const index = free.shift();
  if (index === undefined) throw new Error(`more than ${DATABASES} sandboxes at once`);
  const address = `${url}?db=${index}`;
  const redis = new Redis(address);
  await redis.flushdb();
  redis.disconnect();
  return { url: address, release: () => void free.push(index) };
}

/** A connection to such a database, which is given back after the test. */
export async function connectDatabase(): Promise<Redis> {
  const { url, release } = await takeDatabase();
  const redis = new Redis(url);
  onTestFinished(() => {
    redis.disconnect();
    release();
  });
  return redis;
}
