import { z } from 'zod';
import { routeTool } from '../../../core/agents/tool.ts';
import { parseAmount, ZERO, toDecimal } from '../../../core/money/amount.ts';
import type { Route } from '../../../core/intake/route.ts';
import { unlessRedisIsAway } from '../../../platform/redis/away.ts';
import { say } from '../../../platform/slack/phrase.ts';
import type { Message } from '../../../platform/slack/message.ts';
import type { Spending } from '../../../platform/hosting/month.ts';
import { isDown } from '../../../platform/hosting/hosting-error.ts';
import { fromBefore } from '../../../core/instances/messages.ts';
import { monthIn } from '../alerts/seen.ts';
import { budgetOf } from './budget.ts';
import { readSpending } from './watched-month.ts';
import { forecastOf } from './forecast.ts';
import { spendingMessage } from './messages.ts';
import type { Postpaid } from '../billing.ts';
import { ALL_GROUPS } from '../../../core/policy/sections.ts';
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

/** `/billing` of a service that is paid afterwards: this month so far, and what it comes to. It has no balance to run out. */
export function spendingRoute({ hosting, alarms, config, billed, calendar, details }: Postpaid): Route {
  return {
    id: 'billing.balance',
    verb: 'now',
    aliases: ['balance'],
    spoken: {
      isFirst: true,
      asks: ['(balance|credits|credit|money|runway|budget)', 'how (much|long) * (left|last|spent|month)'],
    },
    permission: 'billing:read',
    writes: false,
    tool: routeTool({
      name: 'get_spending',
      title: 'Get what this month costs',
      description: 'Gives what this month costs so far, what it is likely to come to, and its budget.',
      input: z.object({}),
      words: () => [],
    }),
    usage: '',
    instead: say`/billing shows what this month costs so far. For earlier ones, type /billing month october.`,
    summary: 'what this month costs so far, what it comes to, and how much of its budget that is',
    suggests: async () => ({ title: 'What does this month cost?', message: 'now' }),
    handle: async () => {
      const alarm = await unlessRedisIsAway(alarms.get(), undefined);
      const budget = parseAmount(budgetOf(alarm?.settings ?? {}, config));
      const shown = (spending: Spending, asOf: number): Message => {
        const monthSoFar = parseAmount(spending.monthSoFar) ?? ZERO;
        return spendingMessage({
          currency: billed.currency,
          monthSoFar,
          owedBefore: parseAmount(spending.owedBefore),
          budget,
          forecast: forecastOf(monthSoFar, asOf),
          remark: hosting.about.stoppedCosts,
          asOf,
          details,
        });
      };
      try {
        return shown(await readSpending(hosting), await calendar.today());
      } catch (error) {
        const last = isDown(error) ? monthIn(alarm?.seen) : undefined;
        if (!last) throw error;
        // What else there is to press needs the service.
        const { lines } = shown({ monthSoFar: last.monthSoFar }, last.at);
        return fromBefore({ lines }, last.at);
      }
    },
  };
}

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
