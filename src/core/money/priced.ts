import { type Amount, compare, parseAmount, ZERO } from './amount.ts';

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
