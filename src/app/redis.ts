import { once } from 'node:events';
import { atMost } from '../platform/time/at-most.ts';
import type { Log } from '../platform/log/log.ts';
import { createSwap } from '../core/records/swap.ts';
import type { RedisAt } from '../platform/redis/address.ts';
import { createRedisClock, type RedisClock } from '../platform/redis/clock.ts';
import {
  connectBlocking,
  connectFailFast,
  disconnect,
  type RedisConnection,
} from '../platform/redis/connection.ts';

const READY_WITHIN_MS = 5_000;

/** Connections to one Redis. */
export interface Connections {
  /** For what a person waits for. */
  readonly failFast: RedisConnection;
  /** For what runs behind the queue, and waits for Redis. */
  readonly blocking: RedisConnection;
  /** Resolves once they can be used, or after a while in any case: then what uses them fails, or waits. */
  ready(): Promise<void>;
  /** Lets go of them. */
  close(): Promise<void>;
}

/** The connections of a process that are no account's own, and the clock of the Redis they lead to. */
export interface SharedRedis extends Connections {
  /** Where all of them lead. */
  readonly at: RedisAt;
  readonly clock: RedisClock;
  /** What is put before every key of this deployment; empty where it has its Redis for itself. */
  readonly prefix: string;
  /** The same without that, for what names its keys by itself. */
  readonly bare: Pick<Connections, 'failFast' | 'blocking'>;
}

export function createSharedRedis(at: RedisAt, prefix: string, log: Log): SharedRedis {
  const connections = connect(at, prefix, log);
  const bare = prefix === '' ? undefined : connect(at, '', log);
  const clock = createRedisClock(connections.failFast, createSwap(connections.failFast), (byMs) =>
    log.warn(
      { byMs },
      "the clock of Redis was set: what is under way goes on, and the bot's time comes back to Redis' slowly",
    ),
  );
  return {
    ...connections,
    at,
    clock,
    prefix,
    bare: bare ?? connections,
    ready: async () => {
      await Promise.all([connections.ready(), bare?.ready()]);
    },
    close: async () => {
      clock.stop();
      await Promise.all([connections.close(), bare?.close()]);
    },
  };
}

/**
 * The connections of one account: every key begins with `scope`, so that nothing of it is found by another. Without a scope
 * those that are shared, which the process lets go of.
 */
export function connectionsOf(
  shared: SharedRedis,
  { scope, log }: { readonly scope: string; readonly log: Log },
): Connections {
  return scope === ''
    ? { ...shared, close: async () => undefined }
    : connect(shared.at, `${shared.prefix}${scope}`, log);
}

async function becomesReady(redis: RedisConnection): Promise<void> {
  if (redis.status !== 'ready') await once(redis, 'ready');
}

function connect(at: RedisAt, scope: string, log: Log): Connections {
  const onError = (error: Error): void => log.limited('redis', error);
  const failFast = connectFailFast(at, onError, scope);
  const blocking = connectBlocking(at, onError, scope);
  return {
    failFast,
    blocking,
    ready: async () => {
      await Promise.all([failFast, blocking].map((one) => atMost(READY_WITHIN_MS, becomesReady(one))));
    },
    close: async () => {
      await Promise.all([disconnect(failFast), disconnect(blocking)]);
    },
  };
}
