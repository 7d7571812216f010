import { type Command, Redis, type RedisOptions } from 'ioredis';

export type RedisConnection = Redis;

/** How long an answer is waited for by somebody who can't wait. */
const ANSWER_WITHIN_MS = 800;

/**
 * Sends what is asked in one turn of the event loop together: each write by itself is a system call on this side and a
 * read on the other.
 */
class GatheringRedis extends Redis {
  override sendCommand(...given: Parameters<Redis['sendCommand']>): unknown {
    const { stream, status } = this;
    if (status === 'ready' && stream.writableCorked === 0) {
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return super.sendCommand(...given);
  }
}

/**
 * Gives a command up that is not answered in time. The driver's own `commandTimeout` does so as well, but for all that was
 * on its way where the process stood still for that long, although the answers have arrived and are only to be read.
 */
class FailFastRedis extends GatheringRedis {
  override sendCommand(...given: Parameters<Redis['sendCommand']>): unknown {
    const [command] = given;
    const sent = super.sendCommand(...given);
    if (!command.isSettled) giveUpLater(command);
    return sent;
  }
}

function giveUpLater(command: Command): void {
  const timer = setTimeout(() => {
    // After what has arrived is read.
    setImmediate(() => {
      if (!command.isSettled) command.reject(new Error('Redis gave no answer in time'));
    });
  }, ANSWER_WITHIN_MS);
  const keep = (): void => clearTimeout(timer);
  command.promise.then(keep, keep);
}

/**
 * A connection for what a person waits for: it fails within about a second instead of hanging, and
 * sends nothing later that was given up, since its caller has already said that nothing was done. `keyPrefix`: put before
 * the name of every key.
 */
export function connectFailFast(
  url: string,
  onError: (error: Error) => void,
  keyPrefix = '',
): RedisConnection {
  return connect(
    FailFastRedis,
    url,
    { maxRetriesPerRequest: 1, enableOfflineQueue: false, keyPrefix },
    onError,
  );
}

/** A connection for work behind the queue: a command waits until Redis is back. BullMQ's worker needs one such. */
export function connectBlocking(
  url: string,
  onError: (error: Error) => void,
  keyPrefix = '',
): RedisConnection {
  return connect(GatheringRedis, url, { maxRetriesPerRequest: null, keyPrefix }, onError);
}

function connect(
  Client: typeof Redis,
  url: string,
  options: Omit<RedisOptions, 'replyMapping'>,
  onError: (error: Error) => void,
): RedisConnection {
  const retryStrategy = (tries: number): number => Math.min(25 * tries, 250);
  const redis = new Client(url, { ...options, connectTimeout: 2_000, retryStrategy });
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
