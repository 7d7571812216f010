import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../platform/log/log.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Timings } from '../timings.ts';

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
