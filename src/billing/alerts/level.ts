import { type Amount, compare, formatAmount, multiply, parseAmount, ZERO } from '../../credits/amount.ts';
import { counted } from '../../credits/counted.ts';
import { Refusal } from '../../errors.ts';
import { say } from '../../slack/phrase.ts';

/** How low the balance is, each worse than the one before. */
export const LEVELS = ['ok', 'warn', 'critical', 'empty'] as const;
export type Level = (typeof LEVELS)[number];

/** Below what a level begins: so many days of runway, or so many credits. */
export interface Threshold {
  readonly in: 'days' | 'credits';
  readonly amount: Amount;
}

export interface Thresholds {
  readonly warn: Threshold;
  readonly critical: Threshold;
}

/** What the levels are judged by. */
export interface Funds {
  readonly balance: Amount;
  readonly perDay: Amount | undefined;
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
 * The level of `funds`, which were at `was` before; undefined where it can't be told, because a threshold counts in days
 * and the service does not say what a day costs. Pure.
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
  return perDay && compare(balance, multiply(bound, perDay)) < 0;
}

/** A threshold as a person types it: `5d`, `1.5d`, `500`. Throws a Refusal. */
export function parseThreshold(typed: string): Threshold {
  const [, number = '', days] = /^(\d{1,15}(?:\.\d{1,6})?)(d|days?)?$/i.exec(typed) ?? [];
  const amount = parseAmount(number);
  if (!amount || compare(amount, ZERO) <= 0)
    throw new Refusal(
      'bad-threshold',
      say`I can't read "${typed}" as a threshold. Say 5d for five days of runway, or 500 for so much balance.`,
    );
  return { in: days === undefined ? 'credits' : 'days', amount };
}

/** A threshold in words: "5 days", "500 credits". */
export function thresholdWords({ in: counts, amount }: Threshold, unit: string): string {
  if (counts === 'credits') return counted(amount, unit);
  const number = formatAmount(amount);
  return number === '1' ? '1 day' : `${number} days`;
}

/** Throws a Refusal where critical would begin before warn. */
export function checkOrder({ warn, critical }: Thresholds): void {
  if (warn.in === critical.in && compare(critical.amount, warn.amount) >= 0)
    throw new Refusal(
      'bad-order',
      say`Critical must begin below warn, as in billing alerts set warn 5d critical 2d. Nothing was changed.`,
    );
}
