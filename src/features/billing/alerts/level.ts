import { type Amount, compare, formatAmount, multiply, ZERO, counted } from '../../../core/money/amount.ts';
import type { Threshold, Thresholds } from '../../../core/money/typed.ts';

/** How low the balance is, each worse than the one before. `paused`: something is paused because the credit ran out, an outage. */
export const LEVELS = ['ok', 'warn', 'critical', 'empty', 'paused'] as const;
export type Level = (typeof LEVELS)[number];

/** What the levels are judged by. */
export interface Funds {
  readonly balance: Amount;
  readonly perDay: Amount | undefined;
}

/** Thresholds, and whether more is to come by itself before the second is passed: then the first alone is no news. */
export interface Lines extends Thresholds {
  readonly isToppedUp?: boolean | undefined;
}

/** A level is left only this much past its threshold, so that a wobble around it says nothing. */
const MARGIN: Amount = { units: 11n, scale: 1 };
/** Once empty, it is no longer so at this part of what is critical. */
const REFILLED: Amount = { units: 1n, scale: 1 };

/** How bad a level is. */
export function rank(level: Level): number {
  return LEVELS.indexOf(level);
}

/**
 * The level of `funds`, which were at `was` before; undefined where it is unknown, because a threshold counts in days
 * and the service does not say what a day costs, or reports less than 0. Pure.
 */
export function levelOf(funds: Funds, { warn, critical }: Thresholds, was: Level): Level | undefined {
  if (compare(funds.balance, ZERO) <= 0) return 'empty';
  const bounds = [
    { level: 'empty', threshold: critical, begins: undefined, ends: REFILLED },
    { level: 'critical', threshold: critical, begins: ONE, ends: MARGIN },
    { level: 'warn', threshold: warn, begins: ONE, ends: MARGIN },
  ] as const;
  for (const { level, threshold, begins, ends } of bounds) {
    const factor = rank(was) >= rank(level) ? ends : begins;
    if (factor === undefined) continue;
    const isIn = isBelow(funds, threshold, factor);
    if (isIn === undefined) return undefined;
    if (isIn) return level;
  }
  return 'ok';
}

const ONE: Amount = { units: 1n, scale: 0 };

function isBelow({ balance, perDay }: Funds, threshold: Threshold, factor: Amount): boolean | undefined {
  const bound = multiply(threshold.amount, factor);
  if (threshold.in === 'credits') return compare(balance, bound) < 0;
  if (!perDay || compare(perDay, ZERO) < 0) return undefined;
  return compare(balance, multiply(bound, perDay)) < 0;
}

/** A threshold in words: "5 days", "500 credits". */
export function thresholdWords({ in: counts, amount }: Threshold, unit: string): string {
  if (counts === 'credits') return counted(amount, unit);
  const number = formatAmount(amount);
  return number === '1' ? '1 day' : `${number} days`;
}
