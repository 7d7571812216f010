import { type Amount, compare, multiply, parseAmount, ZERO } from './amount.ts';
import { readNumber } from './number.ts';

/** Below what a level begins: so many days of runway, or so many credits. */
export interface Threshold {
  readonly in: 'days' | 'credits';
  readonly amount: Amount;
}

export interface Thresholds {
  readonly warn: Threshold;
  readonly critical: Threshold;
}

const DEFAULT_WARN: Amount = { units: 5n, scale: 0 };
const DEFAULT_CRITICAL: Amount = { units: 2n, scale: 0 };
/** How the default of one follows from the other: the ratio of the two defaults, either way. */
const CRITICAL_PART: Amount = { units: 4n, scale: 1 };
const WARN_MULTIPLE: Amount = { units: 25n, scale: 1 };

/**
 * A threshold as a person types it: `5d`, `1.5days`, `500`, `1,500`. Undefined for anything else, for nothing or less, and
 * where the number can be read in two ways: `readNumber` tells which. Pure.
 */
export function parseThreshold(typed: string): Threshold | undefined {
  const [, number = '', days] = /^(.*?)(d|days?)?$/is.exec(typed.normalize('NFKC').trim()) ?? [];
  const [value, another] = readNumber(number);
  const amount = parseAmount(value);
  if (!amount || another !== undefined || compare(amount, ZERO) <= 0) return undefined;
  return { in: days === undefined ? 'credits' : 'days', amount };
}

/**
 * Both thresholds, from those that were set. The default of the other follows the one that is set, in its unit, and of
 * days it is 2 at most for critical and 5 at least for warn. Two that are set fit if they count in one unit and critical
 * is below warn; else what is wrong with them. Pure.
 */
export function completeThresholds(set: Partial<Thresholds>): Thresholds | 'mixed units' | 'wrong order' {
  const { warn = defaultWarn(set.critical) } = set;
  const { critical = defaultCritical(warn) } = set;
  if (warn.in !== critical.in) return 'mixed units';
  return compare(critical.amount, warn.amount) < 0 ? { warn, critical } : 'wrong order';
}

function defaultWarn(critical: Threshold | undefined): Threshold {
  if (!critical) return { in: 'days', amount: DEFAULT_WARN };
  const amount = multiply(critical.amount, WARN_MULTIPLE);
  const isTooLittle = critical.in === 'days' && compare(amount, DEFAULT_WARN) < 0;
  return { in: critical.in, amount: isTooLittle ? DEFAULT_WARN : amount };
}

function defaultCritical(warn: Threshold): Threshold {
  const amount = multiply(warn.amount, CRITICAL_PART);
  const isTooMuch = warn.in === 'days' && compare(amount, DEFAULT_CRITICAL) > 0;
  return { in: warn.in, amount: isTooMuch ? DEFAULT_CRITICAL : amount };
}
