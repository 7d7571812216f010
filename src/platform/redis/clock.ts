import type { RedisConnection } from './connection.ts';
import { aheadAt, correctionSchema, type Kept, type Known, learn, NO_CORRECTION } from './correction.ts';
import { key } from './key.ts';
import { versionAfter } from './stored.ts';
import { uptime } from 'node:os';
import { performance } from 'node:perf_hooks';

/**
 * The time that all processes agree on. It is that of Redis, counted on between two looks by this process' own monotonic clock.
 * Where Redis' clock is set, it goes on as if that had not happened, and comes back to Redis' slowly: no deadline comes too early
 * or never. See docs/decisions/0018-deadlines-use-redis-time.md.
 */
export interface RedisClock {
  /** Now, Unix ms. Before Redis has ever answered: this host's own time. */
  now(): number;
  /** What Redis' own clock shows when `now()` is `at`, both Unix ms: for what is due by the calendar, and for Slack's times. */
  atRedis(at: number): number;
  /** Whether Redis has answered at least once. */
  isSet(): boolean;
  /** Asks Redis for its time. Throws what Redis or the connection says. */
  look(): Promise<void>;
  /** It writes nothing from then on, also where it waits for Redis just then. */
  stop(): void;
}

/** The same clock for what people put into their calendars: it shows what Redis' own does, also right after that was set. */
export function calendarOf(clock: RedisClock): RedisClock {
  return { ...clock, now: () => Math.round(clock.atRedis(clock.now())), atRedis: (at) => at };
}

const POLL_EVERY_MS = 5_000;
const SEEN = 'seen';

const clockKey = key('clock');

/** Puts a record as version `next` in place of the version it was made from; false where somebody else did meanwhile. */
export type SwapRecord = (key: string, version: string, next: string, text: string) => Promise<boolean>;

/** `onJump`: hears of a clock that was set, and by how much (ms), in the process that noticed it first. */
export function createRedisClock(
  redis: RedisConnection,
  swap: SwapRecord,
  onJump: (byMs: number) => void = () => undefined,
): RedisClock {
  const monotonic = createMonotonic();
  let known: Known | undefined;
  let isStopped = false;

  const readingNow = ({ reading: { redisMs, after, before } }: Known): number =>
    redisMs + monotonic() - (after + before) / 2;
  const now = (): number => {
    if (!known) return Date.now();
    const redisMs = readingNow(known);
    return Math.round(redisMs + aheadAt(redisMs, known.correction));
  };
  const look = async (): Promise<void> => {
    for (;;) {
      const after = monotonic();
      const [[seconds, micros], [version, record, seenAt]] = await Promise.all([
        redis.time(),
        redis.hmget(clockKey, 'version', 'record', SEEN),
      ]);
      const redisMs = Number(seconds) * 1000 + Number(micros) / 1000;
      const kept: Kept = {
        correction: typeof record === 'string' ? correctionSchema.parse(JSON.parse(record)) : NO_CORRECTION,
        version: version ?? '0',
        seenAt: Number(seenAt ?? 0),
      };
      if (isStopped) return;
      const { known: learned, jumpMs } = learn(known, kept, { redisMs, after, before: monotonic() });
      known = learned;
      if (!learned.isWritten) {
        // Where it isn't, another process has noticed it as well, and its word counts.
        const next = versionAfter(kept.version);
        if (!(await swap(clockKey, kept.version, next, JSON.stringify(learned.correction)))) continue;
        known = { ...learned, version: next, isWritten: true };
        if (jumpMs !== 0) onJump(Math.round(jumpMs));
      }
      redis.hset(clockKey, SEEN, now()).catch(() => undefined);
      return;
    }
  };
  const lookQuietly = (): void => {
    if (redis.status === 'ready' && !isStopped) look().catch(() => undefined);
  };
  redis.on('ready', lookQuietly);
  lookQuietly();
  const timer = setInterval(lookQuietly, POLL_EVERY_MS);
  timer.unref();
  return {
    now,
    atRedis: (at) => at - (known ? aheadAt(readingNow(known), known.correction) : 0),
    isSet: () => known !== undefined,
    look,
    stop: () => {
      isStopped = true;
      redis.off('ready', lookQuietly);
      clearInterval(timer);
    },
  };
}

/** The clocks of a host may be read so far apart, ms. */
const APART_MS = 1_000;

/**
 * A clock that only goes forward, in ms, and goes on while the host sleeps, which `performance.now()` does not on Linux. How
 * long a host is up stands in a file, and reading that at each look took one thirtieth of the CPU of all tests: it is read only
 * where the wall clock, which goes on in a sleep but may also be set, has moved without `performance.now()`.
 */
export function createMonotonic(
  awake: () => number = () => performance.now(),
  whole: () => number = () => uptime() * 1_000,
  wall: () => number = () => Date.now(),
): () => number {
  let aheadMs = whole() - awake();
  let wallAheadMs = wall() - awake();
  let sleptMs = 0;
  return () => {
    const now = awake();
    const wallMovedMs = wall() - now - wallAheadMs;
    if (Math.abs(wallMovedMs) > APART_MS) {
      wallAheadMs += wallMovedMs;
      const moreMs = Math.max(0, whole() - now - aheadMs);
      sleptMs += moreMs;
      aheadMs += moreMs;
    }
    return now + sleptMs;
  };
}
