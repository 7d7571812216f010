import { type Amount, compare, subtract, timesIn, ZERO } from '../../../core/money/amount.ts';

/** What stopping one instance would bring, at most: a service may charge for what is stopped, too. */
export interface Gain {
  readonly id: string;
  readonly name: string;
  /** What it costs a day; undefined where the service does not say. */
  readonly perDay: Amount | undefined;
  /** Tenths of a day that the balance would last longer; 'for years' where nothing else costs, undefined where unknown. */
  readonly tenths: bigint | 'for years' | undefined;
}

/** Ten years, in tenths of a day. */
const YEARS_TENTHS = 36_500n;

/** What stopping each of these would bring, what brings most first. Pure and exact. */
export function gainsOf<One extends Omit<Gain, 'tenths'>>(
  { balance, perDay }: { readonly balance: Amount; readonly perDay: Amount | undefined },
  running: readonly One[],
): readonly (One & Gain)[] {
  return running
    .map((one) => ({ ...one, tenths: tenthsOf(balance, perDay, one.perDay) }))
    .toSorted(costliestFirst);
}

/** The order of what costs most first. */
export function costliestFirst(
  one: Pick<Gain, 'name' | 'perDay'>,
  other: Pick<Gain, 'name' | 'perDay'>,
): number {
  return compare(other.perDay ?? ZERO, one.perDay ?? ZERO) || one.name.localeCompare(other.name);
}

function tenthsOf(balance: Amount, perDay: Amount | undefined, saved: Amount | undefined): Gain['tenths'] {
  if (!perDay || !saved || compare(perDay, ZERO) <= 0) return undefined;
  if (compare(balance, ZERO) <= 0 || compare(saved, ZERO) <= 0) return 0n;
  const left = subtract(perDay, saved);
  if (compare(left, ZERO) <= 0) return 'for years';
  const tenths = timesIn(balance, left, 10) - timesIn(balance, perDay, 10);
  return tenths > YEARS_TENTHS ? 'for years' : tenths;
}
