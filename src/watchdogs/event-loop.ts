import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Log } from '../log/log.ts';
import type { Timings } from '../timings.ts';

const BLOCKED_MS = 500;
const NANOSECONDS_IN_MS = 1e6;

/** Tells the log when nothing of this process could run for a while. Gives the check, to be called again and again. */
export function createEventLoopWatch(
  timings: Timings,
  log: Log,
): { check: () => Promise<void>; stop: () => void } {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  return {
    check: async () => {
      const blockedMs = Math.round(delay.max / NANOSECONDS_IN_MS);
      delay.reset();
      // Past its lock a job may run elsewhere too; nothing is done twice, but somebody should know.
      if (blockedMs >= timings.jobLockMs)
        log.error({ blockedMs }, 'the process stood still for longer than a lock lasts');
      else if (blockedMs >= BLOCKED_MS) log.warn({ blockedMs }, 'the process stood still');
    },
    stop: () => delay.disable(),
  };
}
