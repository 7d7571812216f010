import { compare, subtract, sum, ZERO } from '../../../core/money/amount.ts';
import type { MonthLine } from '../month/figures.ts';
import { type Change, type Explanation, MOST_CHANGES, sizeOf } from './explain.ts';

/** Why a month costs more or less than the one before, by the lines of both, where nothing else is known of it. Pure. */
export function explainItems(lines: readonly MonthLine[]): Explanation {
  const changes = lines
    .map(({ id = '', amount, before }): Change => ({
      cause: { kind: 'item', id, amount, before },
      amount: subtract(amount, before),
    }))
    .filter(({ amount }) => compare(amount, ZERO) !== 0)
    .toSorted((one, other) => compare(sizeOf(other.amount), sizeOf(one.amount)));
  const others = changes.slice(MOST_CHANGES);
  return {
    changes: changes.slice(0, MOST_CHANGES),
    more: { count: others.length, amount: sum(others.map(({ amount }) => amount)) },
    unexplained: ZERO,
  };
}
