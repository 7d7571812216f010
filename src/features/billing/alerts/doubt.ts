import { z } from 'zod';

/**
 * Readings that contradict the last one that counts, before they are believed: a service may answer from a copy that lags
 * behind, or by mistake. How many say so, and how many said otherwise meanwhile.
 */
export const doubtSchema = z.object({
  to: z.enum(['worse', 'better']),
  count: z.number(),
  against: z.number(),
});
export type Doubt = z.infer<typeof doubtSchema>;

/** What a reading says against the last that counts. */
export type Says = Doubt['to'] | 'same';

/** So many readings make it worse, of which one in between may say otherwise; so many in a row make it better. */
const NEEDED = { worse: 2, better: 3 } as const;
const MOST_AGAINST = { worse: 1, better: 0 } as const;

/** What to do with a reading: it counts, it doesn't, or the account is to be looked at again soon, with this in mind. */
export type Verdict = 'counts' | 'dropped' | Doubt;

/**
 * What becomes of a reading that says that, after `doubt`. What is worse is believed sooner than what is better: two copies
 * that contradict each other lead to one warning, and to its end only once they agree. Pure.
 */
export function weighed(doubt: Doubt | undefined, says: Says): Verdict {
  if (!doubt) return says === 'same' ? 'counts' : { to: says, count: 1, against: 0 };
  if (says === doubt.to) {
    const count = doubt.count + 1;
    return count >= NEEDED[says] ? 'counts' : { ...doubt, count };
  }
  if (doubt.to === 'better' && says === 'worse') return { to: says, count: 1, against: 0 };
  const against = doubt.against + 1;
  if (against <= MOST_AGAINST[doubt.to]) return { ...doubt, against };
  return says === 'same' ? 'counts' : 'dropped';
}
