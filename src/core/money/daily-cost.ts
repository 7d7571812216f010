import type { Amount } from './amount.ts';

/** What one day has cost. */
export interface DailyCost {
  /** The UTC day, as in "2026-10-03". */
  readonly day: string;
  /** Exact. Undefined where nobody knows it: a gap, and never a zero. */
  readonly cost: Amount | undefined;
}
