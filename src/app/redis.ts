import type { Redis } from 'ioredis';
import type { Log } from '../platform/log/log.ts';
import type { Timings } from '../core/timings.ts';
import { createSwap } from '../core/records/commit.ts';
import type { RedisAt } from '../platform/redis/address.ts';
import { createRedisClock, type RedisClock } from '../platform/redis/clock.ts';
import { connectBlocking, connectFailFast, disconnect } from '../platform/redis/connection.ts';
import { type RedisConnection, scopedTo } from '../platform/redis/key.ts';

/** The two connections of a process, as a part of the bot has them: each of its keys begins with its scope. */
export interface Connections {
  /** For what a person waits for. */
  readonly failFast: RedisConnection;
  /** For what runs behind the queue, and waits for Redis. */
  readonly blocking: RedisConnection;
}

/** What a process has of Redis. */
export interface SharedRedis extends Connections {
  readonly clock: RedisClock;
  /** What is put before every key of this deployment; empty where it has its Redis for itself. */
  readonly prefix: string;
  /** The connections themselves, for what names its keys by itself. */
  readonly bare: { readonly failFast: Redis; readonly blocking: Redis };
  /** Lets go of them. */
  close(): Promise<void>;
}

export function createSharedRedis(
  at: RedisAt,
  prefix: string,
  log: Log,
  { redisAnswerMs }: Pick<Timings, 'redisAnswerMs'>,
): SharedRedis {
  const onError = (error: Error): void => log.limited('redis', error);
  const bare = {
    failFast: connectFailFast(at, onError, redisAnswerMs),
    blocking: connectBlocking(at, onError),
  };
  const { failFast, blocking } = connectionsOf({ bare, prefix }, '');
  const clock = createRedisClock(failFast, createSwap(failFast), (byMs) =>
    log.warn(
      { byMs },
      "the clock of Redis was set: what is under way goes on, and the bot's time comes back to Redis' slowly",
    ),
  );
  return {
    failFast,
    blocking,
    clock,
    prefix,
    bare,
    close: async () => {
      clock.stop();
      await Promise.all(Object.values(bare).map(disconnect));
    },
  };
}

/** The connections of an account or a workspace: nothing of it is found by another. */
export function connectionsOf(
  { bare, prefix }: Pick<SharedRedis, 'bare' | 'prefix'>,
  scope: string,
): Connections {
  return {
    failFast: scopedTo(`${prefix}${scope}`, bare.failFast),
    blocking: scopedTo(`${prefix}${scope}`, bare.blocking),
  };
}
