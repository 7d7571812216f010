import { calendarOf } from '../../platform/redis/clock.ts';
import type { Background, Feature, Route } from '../../core/intake/route.ts';
import type { Job } from '../../core/records/job.ts';
import { recordOf } from '../../core/records/one-record.ts';
import { ALARM } from './alerts/alarm-store.ts';
import { createMoneyWords, type MoneyWords } from './alerts/last-words.ts';
import { alertJobs, alertRoutes, watchedBalance } from './alerts/index.ts';
import { ALERT_ROUTES } from './alerts/routes.ts';
import { balanceRoute, topUpRoute, shareRoute } from './balance/balance.ts';
import { budgetRoutes } from './budget/budget.ts';
import { BUDGETS } from './budget/budgets.ts';
import { bookedSpendingOf } from './budget/spending.ts';
import { createTellBudgets } from './budget/tell.ts';
import { buyTimeRoute } from './buy-time/buy-time.ts';
import { createBulletin } from './bulletin/bulletin.ts';
import { digestOf } from './digest/digest.ts';
import { DIGEST } from './digest/record.ts';
import { inWords } from './balance/offered.ts';
import { lostOutside } from './outside/lost.ts';
import { forecastRoute, monthForecastRoute } from './forecast/forecast.ts';
import { createDailyCosts, createScheduled } from './range/read-costs.ts';
import { createPlaces, FIGURES, type Billing, type Prepaid } from './billing.ts';
import { createDays } from './ledger/days.ts';
import { createFill, ledgerJob } from './ledger/fill.ts';
import { LEDGER } from './ledger/filling.ts';
import { createNoteLook } from './ledger/note-look.ts';
import { createPropose } from './proposals/propose.ts';
import { PROPOSALS } from './proposals/record.ts';
import { type ScheduleThese, proposalRoutes } from './proposals/route.ts';
import { bookedMonths, monthRoute, type MonthSource } from './month/month.ts';
import { billsButton, billsRoute } from './postpaid/bills.ts';
import { chargesButton, chargesRoute } from './postpaid/charges.ts';
import { chargedSpendingOf, spendingRoute } from './postpaid/spending.ts';
import { chargedMonths } from './postpaid/month.ts';
import { createReadMonth } from './postpaid/read-month.ts';
import { watchedMonth } from './postpaid/watched-month.ts';
import { expectedRoute, createTellSpikes } from './spikes/tell.ts';
import { transactionsRoute } from './transactions/transactions.ts';
import { usageRoute } from './usage/usage.ts';
import { whyRoute } from './why/why.ts';
import { whatIfRoute } from './what-if/what-if.ts';
import type { Bot } from '../../core/bot/bot.ts';

/** What the bot doesn't have of it by itself. */
type Given = Bot & Pick<Prepaid, 'config' | 'outside' | 'changeRoutes'>;

/** What is said and done about the money, however the service is paid. */
interface Money {
  /** `/billing`. */
  feature(scheduleThese: ScheduleThese): Feature;
  /** What is done without being asked. */
  background(): Background;
  /** What nobody would see any more of it if the bot fell silent. */
  words(): MoneyWords;
}

/** How a service is paid: what differs by it. */
interface Way {
  readonly deps: Billing;
  readonly summary: string;
  routes(scheduleThese: ScheduleThese): readonly Route[];
  jobs(): readonly Job[];
}

/** `paid`: as the service says. */
export function createMoney(given: Given, paid: 'prepaid' | 'postpaid'): Money {
  const { deps, summary, routes, jobs } = paid === 'prepaid' ? prepaid(given) : postpaid(given);
  return {
    feature: (scheduleThese) => ({
      noun: 'billing',
      default: 'billing.balance',
      summary,
      routes: routes(scheduleThese),
    }),
    background: () => ({
      jobs: [...alertJobs(deps), ...jobs()],
      deadLetters: lostOutside(deps),
      guards: { [FIGURES]: deps.places.isAllowed },
    }),
    words: () => createMoneyWords(deps),
  };
}

/** What is left, what it is spent on, how long it lasts, and who hears of it when it doesn't. */
function prepaid(given: Given): Way {
  const kept = keptOf(given);
  const dailyCosts = createDailyCosts(kept, createScheduled(kept));
  const { topUp } = given.links;
  const deps = {
    ...kept,
    hosting: inWords(given.hosting),
    watched: watchedBalance(given.config, given.unit, given.hosting.about, { topUp, dailyCosts }),
    dailyCosts,
    spendingOf: bookedSpendingOf,
    digest: recordOf(given, DIGEST),
    proposals: recordOf(given, PROPOSALS),
  };
  const digest = createBulletin(deps, digestOf(deps));
  return {
    deps,
    summary: 'see the balance and what it is spent on',
    routes: (scheduleThese) => [
      balanceRoute(deps),
      shareRoute(deps),
      forecastRoute(deps),
      usageRoute(deps),
      ...ofBoth(deps, bookedMonths(deps), transactionsRoute(deps)),
      buyTimeRoute(deps),
      whatIfRoute(deps),
      topUpRoute(deps),
      ...proposalRoutes(deps, scheduleThese),
      expectedRoute(deps),
      digest.route,
    ],
    jobs: () => [
      digest.job,
      ledgerJob(
        deps,
        createFill(deps, [createPropose(deps), createTellBudgets(deps), createTellSpikes(deps)]),
      ),
    ],
  };
}

/** What the month costs, and its budget. There is no balance to run out. */
function postpaid(given: Given): Way {
  const kept = keptOf(given);
  const { name, currency = '', offers } = given.hosting.about;
  const billed = { name, currency };
  const instances = { label: 'Instances', routeId: given.listRoute, value: '0' };
  const costs = offers.charges ? chargesButton('Show what costs most') : instances;
  const details = [
    ...(offers.charges ? [chargesButton('Usage')] : []),
    ...(offers.bills ? [billsButton] : []),
    instances,
  ];
  const deps = {
    ...kept,
    billed,
    unit: currency,
    watched: watchedMonth(given.config, billed, kept.calendar, costs),
    dailyCosts: createDailyCosts(kept),
    spendingOf: chargedSpendingOf,
    details,
    instances,
  };
  return {
    deps,
    summary: 'see what this month costs, and set its budget',
    routes: () => [
      spendingRoute(deps),
      monthForecastRoute(deps),
      chargesRoute(deps),
      ...ofBoth(deps, chargedMonths(deps), billsRoute(deps)),
    ],
    jobs: () => [ledgerJob(deps, createReadMonth(deps, [createTellBudgets(deps)]))],
  };
}

/** The routes of both ways, in the order in which help shows them. `booked`: lists what was booked. */
function ofBoth(deps: Billing, months: MonthSource, booked: Route): readonly Route[] {
  return [
    monthRoute(deps, months),
    whyRoute(deps, months),
    booked,
    ...alertRoutes(deps),
    ...budgetRoutes(deps),
  ];
}

/** What both ways keep. */
function keptOf(given: Given) {
  const { redis, faultPoints, clock } = given;
  const days = faultPoints('ledger days', createDays(redis));
  const calendar = faultPoints('calendar', { today: async () => calendarOf(clock).now() });
  const alarms = recordOf(given, ALARM);
  return {
    ...given,
    alarms,
    budgets: recordOf(given, BUDGETS),
    filling: recordOf(given, LEDGER),
    days,
    calendar,
    places: createPlaces({ ...given, alarms }),
    noteLook: createNoteLook({ ...given, days, calendar }),
  };
}

export { ownedAlert } from './alerts/owned.ts';
export { createPrice } from './price.ts';
export { isBudgetFor } from './postpaid/budget.ts';

/** The route that shows when alerts come and where, for the buttons of others. */
export const ALERTS_ROUTE = ALERT_ROUTES.alerts;
