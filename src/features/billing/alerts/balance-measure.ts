import { compare, parseAmount } from '../../../core/money/amount.ts';
import type { Thresholds } from '../../../core/money/threshold.ts';
import {
  type BalanceSeen,
  following,
  isAllPaused,
  isFreeUnexplained,
  isPausedDifferent,
} from './balance-seen.ts';
import { type Level, levelOf } from './level.ts';
import type { Measure } from './measure.ts';
import { balanceIn } from './seen.ts';

/** How a balance is judged: by how long it lasts, or by how much is left. */
export function balanceMeasure(thresholds: Thresholds): Measure {
  return {
    following: (read, last) => {
      const seen = balanceIn(read);
      return seen ? following(seen, balanceIn(last)) : read;
    },
    levelOf: (read, was, last) => {
      const seen = balanceIn(read);
      return seen && levelOfBalance(seen, thresholds, was, balanceIn(last));
    },
    // The service before this one was paid otherwise.
    overBy: (_read, last) => (last && !balanceIn(last) ? 'off' : undefined),
    isNews: (read, shown) => {
      const seen = balanceIn(read);
      return seen !== undefined && isPausedDifferent(seen, balanceIn(shown));
    },
    lowestOf: (read, lowest) => {
      const seen = balanceIn(read);
      return seen && (lowest === undefined || isLess(seen.balance, lowest)) ? seen.balance : lowest;
    },
  };
}

/**
 * The level of a reading after `last`, at `was`; undefined where it is unknown. What costs nothing because all of it was
 * paused for want of credit has not recovered, and neither has what costs nothing for a reason that could not be read.
 */
export function levelOfBalance(
  seen: BalanceSeen,
  thresholds: Thresholds,
  was: Level,
  last: BalanceSeen | undefined,
): Level | undefined {
  if (was !== 'ok' && isAllPaused(seen)) return 'empty';
  const balance = parseAmount(seen.balance);
  const level = balance && levelOf({ balance, perDay: parseAmount(seen.perDay) }, thresholds, was);
  return was !== 'ok' && level === 'ok' && isFreeUnexplained(seen, last) ? was : level;
}

function isLess(one: string, other: string): boolean {
  const [mine, theirs] = [parseAmount(one), parseAmount(other)];
  return mine !== undefined && theirs !== undefined && compare(mine, theirs) < 0;
}
