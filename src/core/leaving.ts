import { performance } from 'node:perf_hooks';
import type { Log } from '../platform/log/log.ts';
import type { Timings } from './timings.ts';

/** One thing that is written down before it leaves. */
interface Departure {
  /** So much later than it is written down it is expected to leave, ms: that is the moment to write down. */
  readonly afterMs: number;
  /** When writing it began, `performance.now()`. */
  readonly from: number;
}

/**
 * What is written down before it leaves does so at most `sendWithinMs` after the moment that is written down, or not at all: who
 * looks for it later must not look before it has left. Where writing takes long each time, that moment is put off by as much,
 * else nothing would ever leave.
 */
export interface Leaving {
  start(): Departure;
  /** Whether it may still leave now that it is written down. */
  mayLeave(departure: Departure): boolean;
}

/** What is looked for in a channel's history is looked for this long before its moment, and a little more. */
const LONGEST_AFTER_MS = 4_000;

export function createLeaving(
  { sendWithinMs }: Pick<Timings, 'sendWithinMs'>,
  log: Pick<Log, 'limited'>,
): Leaving {
  let afterMs = 0;
  return {
    start: () => ({ afterMs, from: performance.now() }),
    mayLeave: (departure) => {
      const tookMs = performance.now() - departure.from;
      // A short time says little after a long one.
      afterMs = Math.min(LONGEST_AFTER_MS, Math.max(tookMs > sendWithinMs / 2 ? tookMs : 0, afterMs / 2));
      if (tookMs <= departure.afterMs + sendWithinMs) return true;
      log.limited(
        'writing down what leaves',
        new Error(`nothing left, because Redis took ${Math.round(tookMs)} ms; it is tried again`),
      );
      return false;
    },
  };
}
