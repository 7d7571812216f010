/** Exact arithmetic with credits, which come as integers or decimal strings: never floats (product.md section 5). */

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

/** For people: thousands apart, as many decimals as came, none where all are nought. */
export function formatAmount({ units, scale }: Amount): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = digits.slice(digits.length - scale);
  const sign = units < 0n ? '-' : '';
  return `${sign}${whole}${/[1-9]/.test(fraction) ? `.${fraction}` : ''}`;
}

function unitsAt({ units, scale }: Amount, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale);
}
