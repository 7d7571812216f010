import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../platform/log/log.ts';
import type { Timings } from '../timings.ts';

const BLOCKED_MS = 500;
const RESOLUTION_MS = 20;
const NANOSECONDS_IN_MS = 1e6;

/** Tells the log when nothing of this process could run for a while. Gives the check, to be called again and again. */
export function createEventLoopWatch(
  timings: Timings,
  log: Log,
): { check: () => Promise<void>; stop: () => void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  return {
    check: async () => {
      // The sampler is late as well, and must have its turn before it is read.
      await wait(2 * RESOLUTION_MS);
      const blockedMs = Math.round(delay.max / NANOSECONDS_IN_MS);
      if (blockedMs < BLOCKED_MS) return;
      // Only after a report: the sampler misses a pause that begins before its first sample after a reset.
      delay.reset();
      // Past its lock a job may run elsewhere too; nothing is done twice, but somebody should know.
      if (blockedMs >= timings.jobLockMs)
        log.error({ blockedMs }, 'the process stood still for longer than a lock lasts');
      else log.warn({ blockedMs }, 'the process stood still');
    },
    stop: () => delay.disable(),
  };
}
