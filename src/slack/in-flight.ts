import type { Log } from '../log/log.ts';

/** Work that goes on after its request was acknowledged: Bolt's own stop() does not wait for it (slack.md 0.8). */
export interface InFlight {
  run(work: () => Promise<void>): void;
  /** Waits until all of it has ended. */
  drain(): Promise<void>;
}

export function createInFlight(log: Log): InFlight {
  const running = new Set<Promise<void>>();
  return {
    run: (work) => {
      const one = work()
        .catch((error: unknown) => log.error({ error }, 'working after an acknowledgement'))
        .finally(() => running.delete(one));
      running.add(one);
    },
    drain: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
