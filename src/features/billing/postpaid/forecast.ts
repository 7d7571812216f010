import { type Amount, compare, roundUp, timesIn, ZERO } from '../../../core/money/amount.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';

/** What a month comes to. */
export interface Forecast {
  /** Whole units of the currency. */
  readonly amount: Amount;
  /** The month's last moment, Unix ms. */
  readonly until: number;
}

/** Its beginning and the beginning of the next, Unix ms. */
interface Month {
  readonly from: number;
  readonly to: number;
}

/**
 * So long into a month nobody is warned of what it comes to. A day with something that costs once is then a fifth of what
 * the pace is judged by at most, and five sixths of the month are left to do something about it.
 */
const PACE_KNOWN_AFTER_MS = 5 * DAY_MS;

/** The month of a moment (Unix ms). Months are UTC's, as invoices are. */
export function monthAt(at: number): Month {
  const day = new Date(at);
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) };
}

/**
 * What a month comes to at the pace so far, from which costs that are charged once can't be distinguished. Undefined on its first
 * day, of which nothing can be said. `now`: Unix ms. Pure.
 */
export function forecastOf(soFar: Amount, now: number): Forecast | undefined {
  const { from, to } = monthAt(now);
  if (now - from < DAY_MS) return undefined;
  const units = (soFar.units * BigInt(to - from)) / BigInt(now - from);
  return { amount: roundUp({ units, scale: soFar.scale }), until: to - 1 };
}

/**
 * When a month passes its budget at the pace so far, Unix ms; undefined where it doesn't, where it has, or where the month
 * is too young for its pace to say anything. `now`: Unix ms. Pure.
 */
export function passesAtOf(soFar: Amount, budget: Amount, now: number): number | undefined {
  const { from, to } = monthAt(now);
  const goneMs = now - from;
  if (goneMs < PACE_KNOWN_AFTER_MS || compare(soFar, ZERO) <= 0 || compare(soFar, budget) >= 0)
    return undefined;
  const at = from + Number(timesIn(budget, soFar, goneMs));
  return at < to ? at : undefined;
}
