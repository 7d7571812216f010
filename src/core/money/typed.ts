import { type Amount, compare, parseAmount, ZERO, multiply } from './amount.ts';

/** Fewer digits than a balance can have are never cut. */
const DIGITS = /^\d{1,15}$/;
const FRACTION = /^\d{1,6}$/;

/**
 * What a number can mean that a person typed, as decimals: one where that is certain, none where it is no number, and two
 * where its only separator stands before three digits, since some people separate thousands by it and others the fraction:
 * `1.000`, `1,000`. Digits may be full-width, and spaces or apostrophes separate thousands. Pure.
 */
export function readNumber(typed: string): readonly string[] {
  const text = typed.normalize('NFKC').replace(/(?<=\d)[ \u2009'’](?=\d{3}(?!\d))/g, '_');
  const separators = [...new Set(text.match(/[.,_]/g))];
  if (separators.length === 0) return DIGITS.test(text) ? [text] : [];
  const [first = '', last = first] = separators;
  const [count, ofLast] = [separators.length, text.split(last).length - 1];
  if (count > 2 || (count === 2 && (last === '_' || ofLast > 1))) return [];
  const grouped = (whole: string, by: string): string | undefined => {
    const [head = '', ...rest] = whole.split(by);
    const isGrouped =
      /^[1-9]\d{0,2}$/.test(head) && rest.length > 0 && rest.every((part) => /^\d{3}$/.test(part));
    const digits = [head, ...rest].join('');
    return isGrouped && DIGITS.test(digits) ? digits : undefined;
  };
  if (count === 2) {
    const [before = '', fraction = ''] = text.split(last);
    const whole = grouped(before, first);
    return whole !== undefined && FRACTION.test(fraction) ? [`${whole}.${fraction}`] : [];
  }
  const thousands = grouped(text, first);
  if (first === '_' || ofLast > 1) return thousands === undefined ? [] : [thousands];
  const [whole = '', fraction = ''] = text.split(first);
  const decimal = DIGITS.test(whole) && FRACTION.test(fraction) ? `${whole}.${fraction}` : undefined;
  return [decimal, thousands].filter((one) => one !== undefined);
}

/** An amount of money as a person types it, with what they called its currency: a code like EUR, a sign like €, or nothing. */
export interface Priced {
  readonly amount: Amount;
  readonly called: string | undefined;
}

/** Signs that people type, and the currencies that each may mean. */
const SIGNS: ReadonlyMap<string, readonly string[]> = new Map([
  ['$', ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN', 'BRL']],
  ['US$', ['USD']],
  ['€', ['EUR']],
  ['£', ['GBP']],
  ['¥', ['JPY', 'CNY']],
  ['₹', ['INR']],
]);
const CALLED = '[A-Za-z]{3}|US\\$|[$€£¥₹]';
/** At most two decimals after a point, so that a thousand written as 1.000 is never taken for one. */
const NUMBER = String.raw`(?:\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.\d{1,2})?`;
const BEFORE = new RegExp(`^(${CALLED})? ?(${NUMBER})$`);
const AFTER = new RegExp(`^(${NUMBER}) ?(${CALLED})$`);

/** Money as typed: `200`, `200 EUR`, `€200`, `1,500.50 usd`. Undefined for anything else, and for nothing or less. Pure. */
export function parsePriced(typed: string): Priced | undefined {
  const text = typed.trim();
  const [, before, afterIt] = BEFORE.exec(text) ?? [];
  const [, beforeIt, after] = AFTER.exec(text) ?? [];
  const amount = parseAmount((afterIt ?? beforeIt ?? '').replaceAll(',', ''));
  if (!amount || compare(amount, ZERO) <= 0) return undefined;
  return { amount, called: (before ?? after)?.toUpperCase() };
}

/** Whether that may be called so: its own code in any case, a sign that it has, or nothing. `currency`: a code like EUR. Pure. */
export function isCurrency(currency: string, called: string | undefined): boolean {
  if (called === undefined) return true;
  return called === currency.toUpperCase() || (SIGNS.get(called) ?? []).includes(currency.toUpperCase());
}

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
