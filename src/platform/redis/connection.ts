import { Redis, type RedisOptions } from 'ioredis';

export type RedisConnection = Redis;

/**
 * A connection for what a person waits for: it fails within about a second instead of hanging, and
 * sends nothing later that was given up, since its caller has already said that nothing was done.
 */
export function connectFailFast(url: string, onError: (error: Error) => void): RedisConnection {
  return connect(url, { maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: 800 }, onError);
}

/** A connection for work behind the queue: a command waits until Redis is back. BullMQ's worker needs one such. */
export function connectBlocking(url: string, onError: (error: Error) => void): RedisConnection {
  return connect(url, { maxRetriesPerRequest: null }, onError);
}

function connect(
  url: string,
  options: Omit<RedisOptions, 'replyMapping'>,
  onError: (error: Error) => void,
): RedisConnection {
  const retryStrategy = (tries: number): number => Math.min(25 * tries, 250);
  const redis = new Redis(url, { ...options, connectTimeout: 2_000, retryStrategy });
  redis.on('error', onError);
  return redis;
}

/** Closes a connection: politely when Redis answers, at once when it doesn't. */
export async function disconnect(redis: RedisConnection): Promise<void> {
  if (redis.status === 'ready') {
    await Promise.race([
      redis.quit().catch(() => undefined),
      new Promise((done) => setTimeout(done, 500).unref()),
    ]);
  }
  redis.disconnect();
}
