import { calendarOf } from '../../platform/redis/clock.ts';
import type { SendFileDeps } from '../../core/lists/send-file.ts';
import type { DeliverDeps } from '../../core/outbox/message-source.ts';
import type { Background, Feature } from '../../core/intake/feature.ts';
import { jobOfOne } from '../../core/records/job.ts';
import type { CostGroups } from '../../core/policy/cost-groups-section.ts';
import type { CheckDeps } from './alerts/check.ts';
import { createMoneyWords, type MoneyWords } from './alerts/last-words.ts';
import { alertJobs, alertRoutes, watchedBalance } from './alerts/index.ts';
import { ALERT_ROUTES } from './alerts/routes.ts';
import { balanceRoute, topUpRoute } from './balance/balance.ts';
import { budgetRoutes } from './budget/budget.ts';
import { bookedSpendingOf } from './budget/spending.ts';
import type { BudgetStore } from './budget/budgets.ts';
import { createTellBudgets } from './budget/tell.ts';
import { type BuyTimeDeps, buyTimeRoute } from './buy-time/buy-time.ts';
import { type DigestDeps, digestRoute } from './digest/digest.ts';
import { DIGEST } from './digest/plan.ts';
import { createDigestJob } from './digest/send.ts';
import { inWords } from './balance/offered.ts';
import { lostOutside } from './outside/lost.ts';
import { forecastRoute, monthForecastRoute } from './forecast/forecast.ts';
import { createDailyCosts } from './range/expected.ts';
import { createScheduled } from './range/read-scheduled.ts';
import { createPlaces, FIGURES } from './places.ts';
import { shareRoute } from './balance/share.ts';
import { asError } from '../../platform/log/as-error.ts';
import { createFillJob, ledgerJob } from './ledger/fill.ts';
import { createNoteLook, type NoteLook } from './ledger/note-look.ts';
import { createPropose, type ProposeDeps } from './proposals/propose.ts';
import { type ProposalsDeps, proposalRoutes } from './proposals/route.ts';
import { bookedMonths, monthRoute } from './month/month.ts';
import { billsButton, billsRoute, type MonthListDeps } from './postpaid/bills.ts';
import { chargesButton, chargesRoute } from './postpaid/charges.ts';
import { chargedSpendingOf } from './postpaid/charged-spending.ts';
import { chargedMonths, chargedWhy } from './postpaid/month.ts';
import { createReadMonthJob } from './postpaid/read-month.ts';
import { spendingRoute } from './postpaid/spending.ts';
import { watchedMonth } from './postpaid/watched-month.ts';
import { expectedRoute } from './spikes/expected.ts';
import { createTellSpikes } from './spikes/tell.ts';
import { type TransactionsDeps, transactionsRoute } from './transactions/transactions.ts';
import { type UsageDeps, usageRoute } from './usage/usage.ts';
import { bookedWhy, whyRoute } from './why/why.ts';
import { type WhatIfDeps, whatIfRoute } from './what-if/what-if.ts';
import type { Bot } from '../../core/bot/bot.ts';
import type { Billing } from './billing.ts';

type Given = Pick<Bot, 'examiner'> &
  Omit<
    TransactionsDeps &
      UsageDeps &
      Billing &
      DigestDeps &
      BuyTimeDeps &
      WhatIfDeps &
      CheckDeps &
      ProposeDeps &
      DeliverDeps,
    'places' | 'watched' | 'noteLook' | 'dailyCosts'
  >;

/** `costGroups`: parts of the costs, as the policy file has them by now. */
export type BillingDeps = Pick<Billing, 'days' | 'filling' | 'calendar'> &
  Given & { readonly costGroups: () => CostGroups; readonly budgets: BudgetStore };
/** What is needed where it is paid afterwards. */
export type PostpaidDeps = Pick<Billing, 'examiner' | 'days' | 'filling' | 'calendar'> &
  Pick<Given, keyof Billing & keyof Given> &
  Pick<Given, keyof CheckDeps & keyof Given> &
  DeliverDeps &
  SendFileDeps &
  Pick<MonthListDeps, 'offers'> & {
    readonly instancesRoute: string;
    readonly budgets: BudgetStore;
    readonly costGroups: () => CostGroups;
  };

/** `/billing`: what is left, what it is spent on, how long it lasts, and who hears of it when it doesn't. */
export function billingFeature(given: BillingDeps & Pick<ProposalsDeps, 'scheduleThese'>): Feature {
  const deps = { ...prepaid(given), scheduleThese: given.scheduleThese };
  return {
    noun: 'billing',
    default: 'billing.balance',
    summary: 'see the balance and what it is spent on',
    routes: [
      balanceRoute(deps),
      shareRoute(deps),
      forecastRoute(deps),
      usageRoute(deps),
      monthRoute(deps, bookedMonths(deps)),
      whyRoute(deps, bookedWhy(deps)),
      transactionsRoute(deps),
      ...alertRoutes(deps),
      ...budgetRoutes(deps),
      buyTimeRoute(deps),
      whatIfRoute(deps),
      topUpRoute(deps),
      ...proposalRoutes(deps),
      expectedRoute(deps),
      digestRoute({ ...deps, now: calendarOf(deps.clock).now }),
    ],
  };
}

/** `/billing` of a service that is paid afterwards: what the month costs, and its budget. It has no balance to run out. */
export function postpaidFeature(given: PostpaidDeps): Feature {
  const deps = postpaid(given);
  return {
    noun: 'billing',
    default: 'billing.balance',
    summary: 'see what this month costs, and set its budget',
    routes: [
      spendingRoute(deps),
      monthForecastRoute(deps),
      chargesRoute(deps),
      monthRoute(deps, chargedMonths(deps)),
      whyRoute(deps, chargedWhy(deps)),
      billsRoute(deps),
      ...alertRoutes(deps),
      ...budgetRoutes(deps),
    ],
  };
}

/** What is done without being asked: looking at the balance, telling of it, and the digest. */
export function billingBackground(given: BillingDeps): Background {
  const deps = prepaid(given);
  return {
    jobs: [
      ...alertJobs(deps),
      jobOfOne(DIGEST, deps.plans, createDigestJob({ ...deps, clock: calendarOf(deps.clock) })),
      ledgerJob(
        deps,
        createFillJob({
          ...deps,
          atEnd: [createPropose(deps), createTellBudgets(deps), createTellSpikes(deps)],
        }),
      ),
    ],
    deadLetters: lostOutside(deps),
    guards: { [FIGURES]: deps.places.isAllowed },
  };
}

/** What is done without being asked where it is paid afterwards: looking at the month, and telling of its budget. */
export function postpaidBackground(given: PostpaidDeps): Background {
  const deps = postpaid(given);
  return {
    jobs: [
      ...alertJobs(deps),
      ledgerJob(deps, createReadMonthJob({ ...deps, atEnd: [createTellBudgets(deps)] })),
    ],
    deadLetters: lostOutside(deps),
    guards: { [FIGURES]: deps.places.isAllowed },
  };
}

/** What nobody would see any more of the balance if the bot fell silent. */
export function billingWords(given: BillingDeps): MoneyWords {
  return createMoneyWords(prepaid(given));
}

/** The same of the month that is paid afterwards. */
export function postpaidWords(given: PostpaidDeps): MoneyWords {
  return createMoneyWords(postpaid(given));
}

function prepaid(given: BillingDeps) {
  const { topUp } = given.links;
  const dailyCosts = createDailyCosts({ ...given, scheduled: createScheduled(given) });
  const watched = watchedBalance(given.config, given.unit, given.hosting.about, { topUp, dailyCosts });
  const hosting = inWords(given.hosting);
  return {
    ...given,
    hosting,
    places: createPlaces(given),
    watched,
    noteLook: noteLookOf(given),
    dailyCosts,
    spendingOf: bookedSpendingOf,
  };
}

function postpaid(given: PostpaidDeps) {
  const { name, currency = '', offers } = given.hosting.about;
  const billed = { name, currency };
  const instances = { label: 'Instances', routeId: given.instancesRoute, value: '0' };
  const costs = offers.charges ? chargesButton('Show what costs most') : instances;
  const watched = watchedMonth(given.config, billed, given.calendar, costs);
  const details = [
    ...(offers.charges ? [chargesButton('Usage')] : []),
    ...(offers.bills ? [billsButton] : []),
    instances,
  ];
  const [places, noteLook] = [createPlaces(given), noteLookOf(given)];
  const dailyCosts = createDailyCosts(given);
  return {
    ...given,
    billed,
    unit: currency,
    spendingOf: chargedSpendingOf,
    watched,
    noteLook,
    dailyCosts,
    places,
    details,
    instances,
  };
}

function noteLookOf({
  days,
  calendar,
  log,
}: Pick<Billing, 'days' | 'calendar'> & Pick<CheckDeps, 'log'>): NoteLook {
  const onError = (error: unknown): void => log.limited('noting a look in the ledger', asError(error));
  return createNoteLook({ days, calendar, onError });
}

export { ownedAlert } from './alerts/owned.ts';
export { createPrice } from './price.ts';
export { isBudgetFor } from './postpaid/budget.ts';
export type ScheduleThese = ProposalsDeps['scheduleThese'];

/** The route that shows when alerts come and where, for the buttons of others. */
export const ALERTS_ROUTE = ALERT_ROUTES.alerts;
