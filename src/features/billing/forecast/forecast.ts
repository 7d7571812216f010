import { z } from 'zod';
import { routeTool } from '../../../core/agents/tool.ts';
import { type Amount, multiply, parseAmount, ZERO, counted } from '../../../core/money/amount.ts';
import type { Route } from '../../../core/intake/route.ts';
import { unlessRedisIsAway } from '../../../platform/redis/away.ts';
import { day, type Phrase, say } from '../../../platform/slack/phrase.ts';
import type { Button } from '../../../platform/slack/message.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { fundsWords, USAGE_ROUTE } from '../balance/messages.ts';
import { readBalance } from '../balance/reading.ts';
import { budgetOf, moneyWords } from '../postpaid/budget.ts';
import { forecastOf, monthAt } from '../postpaid/forecast.ts';
import { readSpending } from '../postpaid/watched-month.ts';
import { expectedOf, knownCosts, basisWords } from '../range/expected.ts';
import { outlookOf } from '../range/range.ts';
import { forecastMessage } from './messages.ts';
import { monthBefore, monthRange } from './month.ts';
import type { Billing, Postpaid } from '../billing.ts';

const FORECAST = {
  id: 'billing.forecast',
  verb: 'forecast',
  spoken: {
    asks: [
      '(forecast|projection|outlook)',
      '(what|how much) (will|is going to) <span> (cost|be|come to)',
      '(what|how much) (will|is going to) (the month|it|we|this|everything)? (cost|be|come to|spend|pay) <span>?',
      'what * <span> (come to|end at)',
      // What is said of days to come is no month as it was booked, which the same words ask for.
      '(what|how much) (will|would) (we|everything|it|the month) (cost|be|come to|spend|pay) <span>',
      '(what|how much) (are|is) (we|everything|it|the month) going to (cost|be|come to|spend|pay) <span>',
    ],
  },
  permission: 'billing:read',
  writes: false,
  usage: '',
  summary: 'what this month comes to, as a range',
  tool: routeTool({
    name: 'get_forecast',
    title: 'Get the forecast',
    description: 'Gives what this month is likely to come to, as a range.',
    input: z.object({}),
    words: () => [],
  }),
} as const satisfies Omit<Route, 'handle'>;
const BALANCE: Button = { label: 'Balance', routeId: 'billing.balance', value: 'now' };
const USAGE: Button = { label: 'Usage', routeId: USAGE_ROUTE, value: 'instance' };

/** `/billing forecast` of what is paid in advance: the month, and how long the balance lasts. */
export function forecastRoute({ hosting, unit, clock, dailyCosts }: Billing): Route {
  return {
    ...FORECAST,
    instead: say`I forecast this month. For one that is over, type /billing month october.`,
    handle: async () => {
      const [reading, costs] = await Promise.all([readBalance(hosting, clock.now), knownCosts(dailyCosts)]);
      const { days } = costs;
      const { asOf, perDay, balance } = reading;
      const outlook = outlookOf({ ...costs, asOf, stated: perDay });
      const expected = outlook && expectedOf(outlook, balance);
      return forecastMessage({
        asOf,
        counted: (amount) => counted(amount, unit),
        outlook,
        range: outlook && monthRange(outlook),
        knownDays: days.filter(({ cost }) => cost).length,
        before: monthBefore(days, asOf),
        pace: undefined,
        more: [
          ...(outlook || !perDay ? [] : [restWords(perDay, asOf, unit)]),
          fundsWords({ ...reading, expected }, unit),
        ],
        buttons: [BALANCE, USAGE],
      });
    },
  };
}

/** What the rest of the month costs where nothing changes. `asOf`: Unix ms. */
function restWords(perDay: Amount, asOf: number, unit: string): Phrase {
  const { to } = monthAt(asOf);
  const days: Amount = { units: BigInt(Math.ceil((to - asOf) / DAY_MS)), scale: 0 };
  return say`About ${counted(multiply(perDay, days), unit)} more by ${day(to - DAY_MS / 2)} at today's cost.`;
}

/** `/billing forecast` of what is paid afterwards: the month, against its budget. */
export function monthForecastRoute({
  hosting,
  alarms,
  config,
  billed: { currency },
  calendar,
  details,
  dailyCosts,
}: Postpaid): Route {
  const inCurrency = (amount: Amount): string => moneyWords(amount, currency);
  return {
    ...FORECAST,
    instead: say`I forecast this month; what it has cost so far is in /billing.`,
    handle: async () => {
      const [spending, asOf, { days }, alarm] = await Promise.all([
        readSpending(hosting),
        calendar.today(),
        knownCosts(dailyCosts),
        unlessRedisIsAway(alarms.get(), undefined),
      ]);
      const soFar = parseAmount(spending.monthSoFar) ?? ZERO;
      const outlook = outlookOf({ days, asOf });
      return forecastMessage({
        asOf,
        counted: inCurrency,
        outlook,
        range: outlook && monthRange(outlook, soFar),
        knownDays: days.filter(({ cost }) => cost).length,
        before: monthBefore(days, asOf),
        budget: parseAmount(budgetOf(alarm?.settings ?? {}, config)),
        pace: forecastOf(soFar, asOf),
        more: [say`${inCurrency(soFar)} of it so far${outlook ? say`, ${basisWords(outlook.basis)}` : []}.`],
        buttons: details,
      });
    },
  };
}
