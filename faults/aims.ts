import type { Random } from './random.ts';

/** Moments right after which the loss of what was written last would show. */
const MOMENTS = ['an acknowledgement', 'a call', 'a post', 'a reply'] as const;
type Moment = (typeof MOMENTS)[number];

/** Has blows fall right after something that was seen, and tells how long nothing was acknowledged. */
export interface Aims {
  saw(moment: Moment): void;
  /** Resolves at one of these moments or at any other, and after a while where none comes. */
  next(): Promise<void>;
  /** The longest time between two acknowledgements so far, ms. */
  longestSilenceMs(): number;
}

/** Where nothing is under way, a blow falls all the same. */
const WAITS_MS = 1_000;

export function createAims(random: Random): Aims {
  const waiting = new Set<{ readonly moment: Moment; readonly strike: () => void }>();
  let acknowledgedAt: number | undefined;
  let longestMs = 0;
  return {
    saw: (moment) => {
      for (const one of waiting) if (one.moment === moment) one.strike();
      if (moment !== 'an acknowledgement') return;
      const now = performance.now();
      longestMs = Math.max(longestMs, now - (acknowledgedAt ?? now));
      acknowledgedAt = now;
    },
    next: async () => {
      const moment = random.pick([...MOMENTS, 'any' as const]);
      if (moment === 'any') return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => one.strike(), WAITS_MS);
        const one = {
          moment,
          strike: () => {
            clearTimeout(timer);
            waiting.delete(one);
            resolve();
          },
        };
        waiting.add(one);
      });
    },
    longestSilenceMs: () => longestMs,
  };
}
