import { z } from 'zod';
import type { Stretch } from '../../platform/slack/messenger.ts';

/**
 * How far a message has been looked for in its channel's history, as pure functions: around the time of its post first,
 * then where it stands if Slack's clock and Redis' are apart. The place is kept, since Slack may allow one call a minute.
 */
export const lookupSchema = z.object({
  /** Which of the stretches. */
  stretch: z.number(),
  /** The page of it; undefined for its first. */
  cursor: z.string().optional(),
  /** How many pages were read in all. */
  pages: z.number(),
});
export type Lookup = z.infer<typeof lookupSchema>;

/** Ms before and after the time of a post. It lands within a call's time limit; clocks may be a minute apart. */
const STRETCHES = [
  { from: -5_000, to: 10_000 },
  { from: 10_000, to: 60_000 },
  { from: -60_000, to: -5_000 },
] as const;
/** So many messages in two minutes are no channel to look anything up in. */
const MAX_PAGES = 20;
/** As long as Slack may put a lookup off. */
const MAX_LOOKUP_MS = 10 * 60_000;

const START: Lookup = { stretch: 0, pages: 0 };

/** Where to look next for what was posted at `at`, Unix ms; `all seen` or `too much` where there is no next. */
export function placeToLook(at: number, lookup: Lookup = START): Stretch | 'all seen' | 'too much' {
  const stretch = STRETCHES[lookup.stretch];
  if (!stretch) return 'all seen';
  if (lookup.pages >= MAX_PAGES) return 'too much';
  return { from: at + stretch.from, to: at + stretch.to, cursor: lookup.cursor };
}

/** The lookup after one more page, which names the `next` one of its stretch, if there is one. */
export function afterPage(next: string | undefined, { stretch, pages }: Lookup = START): Lookup {
  return next === undefined
    ? { stretch: stretch + 1, pages: pages + 1 }
    : { stretch, cursor: next, pages: pages + 1 };
}

/** The lookup from the start of its stretch: Slack no longer takes its cursor. */
export function withoutCursor({ stretch, pages }: Lookup = START): Lookup {
  return { stretch, pages: pages + 1 };
}

/** Whether a lookup of what was posted at `at` has been put off for so long that it counts as impossible. */
export function isPutOffTooLong(at: number, now: number): boolean {
  return now - at > MAX_LOOKUP_MS;
}
