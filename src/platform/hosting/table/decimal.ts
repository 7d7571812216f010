/** So many digits after the point an amount may have, and so many are kept of one that has float residue. */
const MOST_PLACES = 10;
const KEPT_PLACES = 8;
/** More digits than these a number in JSON may have lost on its way through a float. */
const EXACT_DIGITS = 15;
/** What a long sum of floats is off by at most, as a part of it: 2 to the power of -28, where large amounts have canceled out. */
const NOISE_BITS = 28n;
/** Residue has nines or noughts where it begins: so many places are left without it at most. */
const MOST_MEANT = 6;

/** A decimal as its digits without a point, and how many of them stand after it. */
interface Decimal {
  readonly units: bigint;
  readonly places: number;
}

/**
 * An amount as an exact decimal string; undefined where it is none, or none for certain. A number of at most 15 digits, and a
 * text, say what they say to the digit. What has more than ten places, or a number of more digits, is float residue (as
 * 0.30000000000000004, or 224.99999999999997) where eight places, of which the last two are noughts, say the same to one part in
 * 2^28; then it is read as that. Else it is left unread. Nothing is computed in floats.
 */
export function decimalOf(value: unknown): string | undefined {
  // Most amounts are whole, and a whole one of fewer digits than that is exact.
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const decimal = typeof value === 'number' || !/e/i.test(text) ? parseDecimal(text) : undefined;
  if (decimal === undefined) return undefined;
  const { units, places } = decimal;
  const isExact = typeof value === 'string' || digitsOf(units) <= EXACT_DIGITS;
  if (places <= MOST_PLACES && isExact) return /[eE]/.test(text) ? textOf(decimal) : text;
  return withoutResidue(decimal);
}

/** Of more than a million millions the last cents are lost in a float. */
const MOST_WHOLE_DIGITS = 12;

/** An amount that isn't exact, rounded to so many digits after the point; undefined where those aren't certain. */
export function roundedOf(value: number | string, toPlaces: number): string | undefined {
  const decimal = /^[^eE]+$/.test(String(value)) ? parseDecimal(String(value).trim()) : undefined;
  if (decimal === undefined || decimal.places <= toPlaces) return undefined;
  const { units, places } = decimal;
  if (digitsOf(units / 10n ** BigInt(places)) > MOST_WHOLE_DIGITS) return undefined;
  const cut = 10n ** BigInt(places - toPlaces);
  return textOf({ units: (units + (units < 0n ? -cut : cut) / 2n) / cut, places: toPlaces });
}

function parseDecimal(text: string): Decimal | undefined {
  const [, sign = '', whole, fraction = '', exponent = '0'] =
    /^(-?)(\d{1,20})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const places = fraction.length - Number(exponent);
  const units = BigInt(`${sign}${whole}${fraction}`);
  return places < 0 ? { units: units * 10n ** BigInt(-places), places: 0 } : { units, places };
}

/** The decimal that people mean by one with residue; undefined where its digits may be meant. */
function withoutResidue({ units, places }: Decimal): string | undefined {
  if (places <= KEPT_PLACES) return undefined;
  const cut = 10n ** BigInt(places - KEPT_PLACES);
  const half = units < 0n ? -cut / 2n : cut / 2n;
  const kept = shortened({ units: (units + half) / cut, places: KEPT_PLACES });
  const rounded = kept.units * 10n ** BigInt(places - kept.places);
  const one = 10n ** BigInt(places);
  const size = abs(units) > one ? abs(units) : one;
  const isNoise = abs(rounded - units) << NOISE_BITS <= size;
  const isMeant = kept.places <= MOST_MEANT && digitsOf(kept.units) <= EXACT_DIGITS;
  return isNoise && isMeant ? textOf(kept) : undefined;
}

/** The same without noughts at its end. */
function shortened({ units, places }: Decimal): Decimal {
  let [short, left] = [units, places];
  while (left > 0 && short % 10n === 0n) [short, left] = [short / 10n, left - 1];
  return { units: short, places: left };
}

function textOf(decimal: Decimal): string {
  const { units, places } = shortened(decimal);
  const digits = String(abs(units)).padStart(places + 1, '0');
  const point = digits.length - places;
  const text = places === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return units < 0n ? `-${text}` : text;
}

function digitsOf(units: bigint): number {
  return String(abs(units)).length;
}

function abs(units: bigint): bigint {
  return units < 0n ? -units : units;
}
