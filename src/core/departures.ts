import { performance } from 'node:perf_hooks';
import type { Log } from '../platform/log/log.ts';
import { RedisMoved, untilAtOneRedis, NotReplicated } from '../platform/redis/survive.ts';
import type { Timings } from './timings.ts';

/**
 * What is written down before it leaves does so at most `sendWithinMs` after the moment that is written down, or not at all: who
 * looks for it later must not look before it has left. Where writing takes long each time, that moment is put off by as much,
 * else nothing would ever leave.
 */
export interface Departures {
  /**
   * Has `write` write something down that is to leave, with a commit that survives: it calls `start` just before, and dates it so
   * much later (ms) as that gives. Gives what `write` gives where it may leave now; else has `takeBack` write down that it did not.
   */
  writeDown<R>(
    write: (start: () => number) => Promise<R | undefined>,
    takeBack: () => Promise<unknown>,
  ): Promise<R | undefined>;
}

/** What is looked for in a channel's history is looked for this long before its moment, and a little more. */
const LONGEST_AFTER_MS = 4_000;

export function createDepartures(
  { sendWithinMs }: Pick<Timings, 'sendWithinMs'>,
  log: Pick<Log, 'limited'>,
): Departures {
  let afterMs = 0;
  return {
    writeDown: async (write, takeBack) => {
      let departure = { from: performance.now(), afterMs };
      const stay = async (why: Error): Promise<undefined> => {
        log.limited('writing down what leaves', why);
        await untilAtOneRedis(takeBack);
        return undefined;
      };
      let written: Awaited<ReturnType<typeof write>>;
      try {
        written = await write(() => {
          departure = { from: performance.now(), afterMs };
          return afterMs;
        });
      } catch (error) {
        if (error instanceof NotReplicated || error instanceof RedisMoved) return stay(error);
        throw error;
      }
      if (written === undefined) return undefined;
      const tookMs = performance.now() - departure.from;
      // A short time says little after a long one.
      afterMs = Math.min(LONGEST_AFTER_MS, Math.max(tookMs > sendWithinMs / 2 ? tookMs : 0, afterMs / 2));
      if (tookMs <= departure.afterMs + sendWithinMs) return written;
      return stay(new Error(`nothing left, because Redis took ${Math.round(tookMs)} ms; it is tried again`));
    },
  };
}
