import { toDecimal } from '../../../core/money/amount.ts';
import { ALL_GROUPS } from '../../../core/policy/cost-groups-section.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { membersOf, type SpendingOf } from '../budget/spending.ts';
import { monthOf } from '../month/month-words.ts';
import { monthRange } from '../forecast/month.ts';
import { asOneDay } from '../ledger/charges.ts';
import { dailyCosts, totalOf } from '../ledger/daily-costs.ts';
import { startOf } from '../ledger/day.ts';
import { figuresOf } from '../month/figures.ts';
import { outlookOf } from '../range/range.ts';
import { chargedMonth, named } from './charged-month.ts';

/** What a month of a group has cost where it is paid afterwards, by the readings of these days. */
export const chargedSpendingOf: SpendingOf = (days, group, groups, { now, month }, isPaceWanted) => {
  const ofMonth = days.filter(({ day }) => day.startsWith(month));
  const newest = chargedMonth(ofMonth, [], false)?.newest;
  if (!newest) return undefined;
  const read = days.flatMap(({ day, record: { charges } }) => (charges ? [asOneDay(day, charges)] : []));
  const isIn = membersOf(read, group, groups);
  const figures = figuresOf([newest], [], 'instance', {
    maySee: (target) => (target === 'all' ? group === ALL_GROUPS : isIn(target.id)),
    mayKnowAdded: false,
  });
  const { used, lines, asOf = now } = figures;
  // A month that is over has no pace.
  const isPaced = isPaceWanted && month === monthOf(now);
  const costs = dailyCosts(
    days.map(({ day, record: { charges } }) => ({
      day,
      record: charges ? { month: { amount: toDecimal(totalOf(charges.used, isIn)), at: charges.asOf } } : {},
    })),
  );
  // The month goes on where the newest reading of it ends.
  const outlook = isPaced ? outlookOf({ days: costs, asOf: startOf(newest.day) + DAY_MS }) : undefined;
  return {
    spent: used,
    lines: named(lines),
    // Each reading is of all the days before it.
    isAtLeast: newest.day !== ofMonth.at(-1)?.day,
    source: 'what the service said that the month had cost',
    asOf,
    likely: outlook && monthRange(outlook, used).likely,
  };
};
