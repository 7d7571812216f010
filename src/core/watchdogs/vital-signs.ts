import { MINUTE_MS } from '../../platform/time/duration.ts';
import { POSTS } from '../outbox/outbox.ts';
import { operationKeys } from '../operations/keys.ts';
import { requestKeys } from '../ask/ask.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../platform/log/log.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Timings } from '../timings.ts';

/** What is worked on behind the queues, each by an index of when its next step is due. */
const INDEXES = {
  request: requestKeys.open,
  operation: operationKeys.open,
  poll: operationKeys.polled,
  message: POSTS.index,
} as const;

/** The one of a kind whose next step is due first. `dueAt`: Redis' clock, Unix ms; it may lie ahead. */
export interface OldestDue {
  readonly kind: keyof typeof INDEXES;
  readonly dueAt: number;
}

/** Of each kind the first that is due, where there is any. Throws what Redis or the connection says. */
export async function listOldestDue(redis: RedisConnection): Promise<readonly OldestDue[]> {
  const kinds = Object.keys(INDEXES) as OldestDue['kind'][];
  const found = await Promise.all(
    kinds.map(async (kind): Promise<OldestDue[]> => {
      // What is to be done at once has 0 there, which is no time that it has waited since.
      const [, score] = await redis.zrangebyscore(INDEXES[kind], '(0', '+inf', 'WITHSCORES', 'LIMIT', 0, 1);
      const dueAt = Number(score);
      return score === undefined || !Number.isFinite(dueAt) ? [] : [{ kind, dueAt }];
    }),
  );
  return found.flat();
}

/** By what it is seen that the work of an account is really done. Times: Redis' clock, Unix ms. */
export interface VitalSigns {
  /** What is due first of each kind. */
  readonly oldest: readonly OldestDue[];
  /** The looks at its money; undefined where nobody makes any. */
  readonly looks:
    | {
        readonly everyMs: number;
        readonly unknownAfterMs: number;
        /** When somebody looked last, whatever came of it; 0 for never. */
        readonly checkedAt: number;
        /** When it was read last; undefined where nothing of it counts. */
        readonly readAt: number | undefined;
        readonly failingSince: number | undefined;
      }
    | undefined;
}

/** What is due waits for its turn for a second or two. */
const STUCK_MS = MINUTE_MS;
/** A look that is late by more than two others was not only slow. */
const MAX_LOOKS_MISSED = 3;

/** How long after the last look at the money nobody looks at it any more. `everyMs`: how often somebody does. Pure. */
export function lateAfterMs(everyMs: number): number {
  return MAX_LOOKS_MISSED * everyMs + MINUTE_MS;
}

/** Why the work isn't done as it should be; undefined where it is. Pure. */
export function vitalFault({ oldest, looks }: VitalSigns, now: number): string | undefined {
  const stuck = oldest.find(({ dueAt }) => now - dueAt >= STUCK_MS);
  if (stuck) return `work is overdue: ${stuck.kind}`;
  if (!looks) return undefined;
  const { everyMs, unknownAfterMs, checkedAt, readAt, failingSince } = looks;
  const lateMs = lateAfterMs(everyMs);
  if (now - checkedAt > lateMs) return 'nobody looks at the money';
  const isOld = readAt !== undefined && now - readAt > Math.max(lateMs, unknownAfterMs);
  const isUnknown = failingSince !== undefined && now - failingSince > unknownAfterMs;
  return isOld || isUnknown ? "the money can't be read" : undefined;
}

const BLOCKED_MS = 500;
/** Each sample wakes an idle process, so there are no more than a pause of half a second needs. */
const RESOLUTION_MS = 250;

/**
 * Tells the log when nothing of this process could run for a while. Gives the check, to be called again and again. Node's
 * own monitor of the event loop misses a pause that begins before its first sample, so this counts from the beginning.
 */
export function createEventLoopWatchdog(
  timings: Timings,
  metrics: Pick<Metrics, 'stoodStill'>,
  log: Log,
): { check: () => Promise<void>; stop: () => void } {
  let lastMs = performance.now();
  let longestMs = 0;
  const sampler = setInterval(() => {
    const nowMs = performance.now();
    // It stood still for at least what is more than one pause between samples.
    longestMs = Math.max(longestMs, nowMs - lastMs - RESOLUTION_MS);
    lastMs = nowMs;
  }, RESOLUTION_MS).unref();
  return {
    check: async () => {
      // The sampler is late as well, and must have its turn before it is read.
      await wait(2 * RESOLUTION_MS);
      const blockedMs = Math.round(longestMs);
      longestMs = 0;
      if (blockedMs >= BLOCKED_MS) metrics.stoodStill(blockedMs);
      // Past its lock a job may run elsewhere too; nothing is done twice, but somebody should know.
      if (blockedMs >= timings.jobLockMs)
        log.error({ blockedMs }, 'the process stood still for longer than a lock lasts');
      else if (blockedMs >= BLOCKED_MS) log.warn({ blockedMs }, 'the process stood still');
    },
    stop: () => clearInterval(sampler),
  };
}
