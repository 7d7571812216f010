import { performance } from 'node:perf_hooks';
import type { RedisConnection } from './connection.ts';

/**
 * Redis' clock, estimated between two looks by this process' own monotonic clock, so that replicas
 * with wrong or jumping clocks agree on every deadline, see
 * docs/decisions/0018-deadlines-use-redis-time.md.
 */
export interface RedisClock {
  /** Now in Redis' time, Unix ms. Before Redis has ever answered: this host's own time. */
  now(): number;
  /** Whether Redis has answered at least once. */
  isSet(): boolean;
  /** Asks Redis for its time. Throws what Redis or the connection says. */
  look(): Promise<void>;
  stop(): void;
}

const LOOK_EVERY_MS = 5_000;

export function createRedisClock(redis: RedisConnection): RedisClock {
  let base: { redisMs: number; monotonicMs: number } | undefined;
  const look = async (): Promise<void> => {
    const before = performance.now();
    const [seconds, micros] = await redis.time();
    const after = performance.now();
    base = { redisMs: Number(seconds) * 1000 + Number(micros) / 1000, monotonicMs: (before + after) / 2 };
  };
  const lookQuietly = (): void => {
    if (redis.status === 'ready') look().catch(() => undefined);
  };
  redis.on('ready', lookQuietly);
  lookQuietly();
  const timer = setInterval(lookQuietly, LOOK_EVERY_MS);
  timer.unref();
  return {
    now: () => Math.round(base ? base.redisMs + (performance.now() - base.monotonicMs) : Date.now()),
    isSet: () => base !== undefined,
    look,
    stop: () => clearInterval(timer),
  };
}
