import { DAY_MS } from '../../../platform/time/duration.ts';
import { type Amount, compare, timesIn, ZERO } from '../../../core/money/amount.ts';

/** How long a balance lasts at today's cost. Times are Unix ms. */
export type Runway =
  | { readonly lasts: 'days'; readonly days: number; readonly emptyAt: number }
  /** Nothing is left. */
  | { readonly lasts: 'empty' }
  /** Nothing costs anything now. */
  | { readonly lasts: 'free' }
  /** The service reports a cost below 0, which says nothing of how long it lasts. */
  | { readonly lasts: 'negative cost' }
  /** Longer than a date says anything. */
  | { readonly lasts: 'without end' }
  /** The service does not say what a day costs. */
  | { readonly lasts: 'unknown' };

/** Further off than this a date says nothing. */
const MAX_MS = 10n * 365n * BigInt(DAY_MS);

/** The runway of `balance` at `perDay` from `asOf` on. Pure. Midnight charges are not known, so it is about. */
export function runwayOf(balance: Amount, perDay: Amount | undefined, asOf: number): Runway {
  if (compare(balance, ZERO) <= 0) return { lasts: 'empty' };
  if (!perDay) return { lasts: 'unknown' };
  const cost = compare(perDay, ZERO);
  if (cost <= 0) return { lasts: cost < 0 ? 'negative cost' : 'free' };
  const leftMs = timesIn(balance, perDay, DAY_MS);
  if (leftMs > MAX_MS) return { lasts: 'without end' };
  return { lasts: 'days', days: Math.floor(Number(leftMs) / DAY_MS), emptyAt: asOf + Number(leftMs) };
}
