import type { Log } from '../log/log.ts';

/** Work that goes on after its request was acknowledged: Bolt's own stop() does not wait for it. */
export interface InFlight {
  /** Gives a promise that never rejects, for those who want to wait a while; undefined where the work failed. */
  run<T>(work: () => Promise<T>): Promise<T | undefined>;
  /** Waits until all of it has ended. */
  drain(): Promise<void>;
}

export function createInFlight(log: Log): InFlight {
  const running = new Set<Promise<unknown>>();
  return {
    run: (work) => {
      const one = work()
        .catch((error: unknown) => {
          log.error({ error }, 'working after an acknowledgement');
          return undefined;
        })
        .finally(() => running.delete(one));
      running.add(one);
      return one;
    },
    drain: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
