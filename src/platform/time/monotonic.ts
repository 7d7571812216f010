import { uptime } from 'node:os';
import { performance } from 'node:perf_hooks';

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
