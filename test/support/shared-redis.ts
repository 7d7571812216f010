import { Redis } from 'ioredis';
import { type PrivateRedis, startRedis } from '../../sandbox/redis.ts';

/** As many as Redis has by itself. */
const DATABASES = 16;

let started: Promise<PrivateRedis> | undefined;
let taken = 0;

/**
 * The address of an empty database of the one Redis that all tests of this process share: starting one takes four times
 * as long as emptying a database. They are taken in turn, so that what an earlier test left running writes elsewhere.
 */
export async function takeDatabase(): Promise<string> {
  const { url } = await (started ??= startRedis());
  const address = `${url}?db=${taken++ % DATABASES}`;
  const redis = new Redis(address);
  await redis.flushdb();
  redis.disconnect();
  return address;
}
