import { DAY_MS } from '../../src/platform/time/duration.ts';
const MARGIN_MS = 10 * 60_000;

/**
 * The hosting company's time. It charges at midnight, so shortly before one it is as much earlier there: no run sees a
 * midnight. `startedAt` in Unix ms.
 */
export function hostingClock(startedAt: number, now: () => number = Date.now): () => number {
  const isLate = DAY_MS - (startedAt % DAY_MS) < MARGIN_MS;
  return () => now() - (isLate ? MARGIN_MS : 0);
}
