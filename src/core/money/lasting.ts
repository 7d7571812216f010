import { type Amount, compare, subtract, timesIn, ZERO } from './amount.ts';

/** How long a balance lasts, in tenths of a day; 'for years' where a date would say nothing. */
type Tenths = bigint | 'for years';

/** Ten years, in tenths of a day. */
const YEARS_TENTHS = 36_500n;

/** How long a balance lasts at a cost a day; undefined for a cost below 0, which says nothing. Pure, rounded down. */
function lastsTenths(balance: Amount, perDay: Amount): Tenths | undefined {
  if (compare(perDay, ZERO) < 0) return undefined;
  if (compare(balance, ZERO) <= 0) return 0n;
  if (compare(perDay, ZERO) === 0) return 'for years';
  const tenths = timesIn(balance, perDay, 10);
  return tenths > YEARS_TENTHS ? 'for years' : tenths;
}

/** "5.5 days", "1 day". */
export function daysWords(tenths: bigint): string {
  const [whole, part] = [tenths / 10n, tenths % 10n];
  if (whole === 1n && part === 0n) return '1 day';
  return `${whole}${part === 0n ? '' : `.${part}`} days`;
}

/** "5.5 days", "years". */
function lastingWords(tenths: Tenths): string {
  return tenths === 'for years' ? 'years' : daysWords(tenths);
}

/**
 * What saving so much a day brings, as half a sentence: "lasts up to 8.5 days instead of about 3 days, which is 5.5 days
 * more". Up to, because a service may charge for what is stopped, too. Undefined where the figures say nothing. Pure.
 */
export function bringsWords(balance: Amount, perDay: Amount, saved: Amount): string | undefined {
  const [before, after] = [lastsTenths(balance, perDay), lastsTenths(balance, subtract(perDay, saved))];
  if (before === undefined || after === undefined || compare(saved, ZERO) <= 0) return undefined;
  const isCounted = before !== 'for years' && after !== 'for years';
  const more = isCounted ? `, which is ${daysWords(after - before)} more` : '';
  return `lasts up to ${lastingWords(after)} instead of about ${lastingWords(before)}${more}`;
}
