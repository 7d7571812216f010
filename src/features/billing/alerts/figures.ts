import { compare, parseAmount, timesIn, toDecimal, ZERO } from '../../../core/money/amount.ts';
import { runwayOf } from '../balance/runway.ts';
import type { Alarm } from './alarm.ts';
import { balanceIn, monthIn } from './seen.ts';

/** What was read of the money last, as numbers that are near enough to be drawn; each undefined where nothing says it. */
export interface Figures {
  readonly ageMs: number | undefined;
  readonly balance: number | undefined;
  readonly runwayMs: number | undefined;
  /** Part of the month's budget: 1 is all of it. */
  readonly budgetUsed: number | undefined;
}

/** The figures of what is watched. `now`: Unix ms by the clock that the reading has its time from. Pure. */
export function figuresOf({ seen }: Pick<Alarm, 'seen'>, now: number): Figures {
  const balance = balanceIn(seen);
  const month = monthIn(seen);
  const amount = parseAmount(balance?.balance);
  return {
    ageMs: seen && Math.max(0, now - seen.at),
    balance: amount && Number(toDecimal(amount)),
    runwayMs: amount && balance && runwayMsOf(runwayOf(amount, parseAmount(balance.perDay), now), now),
    budgetUsed: month && usedOf(month),
  };
}

/** Undefined also where it lasts for longer than anybody counts. */
function runwayMsOf(runway: ReturnType<typeof runwayOf>, now: number): number | undefined {
  if (runway.lasts === 'empty') return 0;
  return runway.lasts === 'days' ? runway.emptyAt - now : undefined;
}

/** In millionths on the way, which no budget needs more of. */
function usedOf({ monthSoFar, budget }: NonNullable<ReturnType<typeof monthIn>>): number | undefined {
  const [soFar, all] = [parseAmount(monthSoFar), parseAmount(budget)];
  return soFar && all && compare(all, ZERO) > 0 ? Number(timesIn(soFar, all, 1_000_000)) / 1e6 : undefined;
}
