import { type Amount, compare, sum, ZERO } from '../../../core/money/amount.ts';

/** What one instance or add-on costs a day. */
export interface UsageLine {
  readonly name: string;
  readonly id: string | undefined;
  /** Undefined where the service does not say. */
  readonly perDay: Amount | undefined;
  readonly state: string | undefined;
}

/** The most expensive first, then by name. */
export function byCost(one: UsageLine, other: UsageLine): number {
  return compare(other.perDay ?? ZERO, one.perDay ?? ZERO) || one.name.localeCompare(other.name);
}

/** The sum of what is known, and whether all is. */
export function totalOf(lines: readonly UsageLine[]): { total: Amount; isWhole: boolean } {
  return {
    total: sum(lines.map(({ perDay }) => perDay ?? ZERO)),
    isWhole: lines.every(({ perDay }) => perDay !== undefined),
  };
}
