/** Exact arithmetic with credits, which come as integers or decimal strings: never floats. */

/** `units` times ten to the minus `scale`. */
export interface Amount {
  readonly units: bigint;
  readonly scale: number;
}

export const ZERO: Amount = { units: 0n, scale: 0 };

/** A decimal like "1500", "-3" or "12.30"; undefined for anything else. */
export function parseAmount(decimal: string | undefined): Amount | undefined {
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d{1,40})(?:\.(\d{1,20}))?$/.exec(decimal ?? '') ?? [];
  if (whole === undefined) return undefined;
  return { units: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}

export function sum(amounts: readonly Amount[]): Amount {
  return amounts.reduce(add, ZERO);
}

export function add(one: Amount, other: Amount): Amount {
  const scale = Math.max(one.scale, other.scale);
  return { units: unitsAt(one, scale) + unitsAt(other, scale), scale };
}

/** For people: thousands apart, as many decimals as came, none where all are zero. */
export function formatAmount({ units, scale }: Amount): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = digits.slice(digits.length - scale);
  const sign = units < 0n ? '-' : '';
  return `${sign}${whole}${/[1-9]/.test(fraction) ? `.${fraction}` : ''}`;
}

/** A whole number as people read it: "12,000". */
export function formatCount(count: number): string {
  return formatAmount({ units: BigInt(count), scale: 0 });
}

function unitsAt({ units, scale }: Amount, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale);
}

export function subtract(one: Amount, other: Amount): Amount {
  return add(one, { ...other, units: -other.units });
}

export function multiply(one: Amount, other: Amount): Amount {
  return { units: one.units * other.units, scale: one.scale + other.scale };
}

/** The decimal that `parseAmount` reads back. */
export function toDecimal({ units, scale }: Amount): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`;
}

/** The same amount of the other sign. */
export function negate({ units, scale }: Amount): Amount {
  return { units: -units, scale };
}

/** The same amount, never below zero. */
export function sizeOf(amount: Amount): Amount {
  return amount.units < 0n ? negate(amount) : amount;
}

/** The next whole amount, of what is not less than zero. */
export function roundUp({ units, scale }: Amount): Amount {
  const one = 10n ** BigInt(scale);
  return { units: (units + one - 1n) / one, scale: 0 };
}

/** -1, 0 or 1: whether `one` is less than, equal to or more than `other`. */
export function compare(one: Amount, other: Amount): -1 | 0 | 1 {
  const { units } = subtract(one, other);
  return units < 0n ? -1 : units > 0n ? 1 : 0;
}

/** How often `part` goes into `whole`, times `unit`, rounded down: no floats on the way. `part` is more than zero. */
export function timesIn(whole: Amount, part: Amount, unit: number): bigint {
  const scale = Math.max(whole.scale, part.scale);
  const product = unitsAt(whole, scale) * BigInt(unit);
  const divisor = unitsAt(part, scale);
  const quotient = product / divisor;
  return product < 0n && product % divisor !== 0n ? quotient - 1n : quotient;
}

const ONE: Amount = { units: 1n, scale: 0 };

/**
 * An amount with what it counts: "1,500 credits", "1 credit", "12.30 claws". Only of the default unit is the
 * singular known; the person who chose another word is quoted.
 */
export function counted(amount: Amount, unit: string): string {
  const isOne = unit === 'credits' && compare(amount, ONE) === 0;
  return `${formatAmount(amount)} ${isOne ? 'credit' : unit}`;
}

/** What one day has cost. */
export interface DailyCost {
  /** The UTC day, as in "2026-10-03". */
  readonly day: string;
  /** Exact. Undefined where nobody knows it: a gap, and never a zero. */
  readonly cost: Amount | undefined;
}
