import { parseAmount } from '../../../core/money/amount.ts';
import {
  type BalanceSeen,
  following,
  hasRisen,
  isEmpty,
  isFree,
  isFreeUnexplained,
  isListNew,
  isPausedDifferent,
  pausedForMoney,
  toShow,
} from './balance-seen.ts';
import { type Level, levelOf, type Lines, rank, thresholdWords } from './level.ts';
import { balanceIn, readIn } from './seen.ts';
import type { Measure } from './measure.ts';
import { isMore } from './outage.ts';

/** How a balance is judged: by how long it lasts, or by how much is left, and by what is paused for want of it. */
export function balanceMeasure(thresholds: Lines): Measure {
  const by = [thresholds.warn, thresholds.critical].map((one) => thresholdWords(one, 'credits')).join('/');
  return {
    following: (look, before, was) => {
      const read = readIn(look);
      if (!read) throw new Error('a month is no balance');
      const isShort = levelOfFunds(read, thresholds, was) !== 'ok';
      return following(read, balanceIn(before), { isShort, wasShort: was !== 'ok', by });
    },
    levelOf: (read, was, last) => {
      const seen = balanceIn(read);
      return seen && levelOfBalance(seen, thresholds, was, balanceIn(last));
    },
    // The service before this one was paid otherwise.
    overBy: (_read, last) => (last && !balanceIn(last) ? 'off' : undefined),
    isOtherThreshold: (last) => {
      const before = balanceIn(last)?.by;
      return before !== undefined && before !== by;
    },
    isNews: (read, shown) => {
      const seen = balanceIn(read);
      return seen !== undefined && isPausedDifferent(seen, balanceIn(shown));
    },
    hasRisen: (read, told) => {
      const seen = balanceIn(read);
      return seen !== undefined && hasRisen(seen) && (told === undefined || hasRisen(seen, told));
    },
    lowestOf: (read, lowest) => {
      const seen = balanceIn(read);
      return seen && (lowest === undefined || isMore(lowest, seen.balance)) ? seen.balance : lowest;
    },
    toShow: (read) => {
      const seen = balanceIn(read);
      return seen ? toShow(seen) : read;
    },
  };
}

/**
 * The level of a reading after `last`, at `was`; undefined where it is unknown. While something is paused because the credit ran out
 * nothing else counts. What was used up or paused has not recovered before a list says that nothing is paused, and what
 * costs nothing for a reason that could not be read has not either. What is topped up by itself is low only once it has
 * become critical: then no top-up came in time, and it is low until it has one.
 */
export function levelOfBalance(
  seen: BalanceSeen,
  thresholds: Lines,
  was: Level,
  last: BalanceSeen | undefined,
): Level | undefined {
  if (pausedForMoney(seen) > 0) return 'paused';
  // Nothing runs out where there is nothing, as in a new account.
  if (was === 'ok' && isEmpty(seen) && isFree(seen.perDay) && seen.hasNone) return 'ok';
  const level = levelOfFunds(seen, thresholds, was);
  if (was === 'ok' && level === 'warn' && thresholds.isToppedUp) return 'ok';
  if (level === undefined || rank(level) >= rank(was)) return level;
  if (rank(was) >= rank('empty') && !isListNew(seen, last)) return was;
  return level === 'ok' && isFreeUnexplained(seen, last) ? was : level;
}

/** By the figures alone. */
function levelOfFunds(
  { balance, perDay }: { readonly balance: string; readonly perDay?: string | undefined },
  thresholds: Lines,
  was: Level,
): Level | undefined {
  const amount = parseAmount(balance);
  return amount && levelOf({ balance: amount, perDay: parseAmount(perDay) }, thresholds, was);
}
