import type { Log } from '../log/log.ts';

/** Work that goes on after its request was acknowledged: Bolt's own stop() does not wait for it (slack.md 0.8). */
export interface InFlight {
  /** Gives a promise that never rejects, for whoever wants to wait a while. */
  run(work: () => Promise<void>): Promise<void>;
  /** Waits until all of it has ended. */
  drain(): Promise<void>;
}

export function createInFlight(log: Log): InFlight {
  const running = new Set<Promise<void>>();
  return {
    run: (work) => {
      const one: Promise<void> = work()
        .catch((error: unknown) => log.error({ error }, 'working after an acknowledgement'))
        .finally(() => running.delete(one));
      running.add(one);
      return one;
    },
    drain: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
