import { uptime } from 'node:os';
import { performance } from 'node:perf_hooks';

/** The two clocks of a host may be read so far apart, ms. */
const APART_MS = 1_000;

/** A clock that only goes forward, in ms, and goes on while the host sleeps, which `performance.now()` does not on Linux. */
export function createMonotonic(
  awake: () => number = () => performance.now(),
  whole: () => number = () => uptime() * 1_000,
): () => number {
  let aheadMs = whole() - awake();
  let sleptMs = 0;
  return () => {
    const now = awake();
    const moreMs = whole() - now - aheadMs;
    if (moreMs > APART_MS) {
      sleptMs += moreMs;
      aheadMs += moreMs;
    }
    return now + sleptMs;
  };
}
