import { calendarOf } from '../../platform/redis/clock.ts';
import type { DeliverDeps } from '../../core/outbox/message-source.ts';
import type { Background, Feature } from '../../core/intake/feature.ts';
import type { AlertsDeps } from './alerts/alerts.ts';
import type { CheckDeps } from './alerts/check.ts';
import { alertJobs, alertRoutes, sweptAlerts } from './alerts/index.ts';
import { ALERT_ROUTES } from './alerts/routes.ts';
import { watchedBalance } from './alerts/watched-balance.ts';
import { balanceRoute } from './balance/balance.ts';
import { type BuyTimeDeps, buyTimeRoute } from './buy-time/buy-time.ts';
import { type BuyTimePlanDeps, planRoutes } from './buy-time/plan.ts';
import { type DigestDeps, digestRoute } from './digest/digest.ts';
import { createDigestJob, DIGEST_JOB, sweptDigest } from './digest/send.ts';
import { inWords } from './balance/offered.ts';
import { createExportsJob, EXPORTS_JOB, sweptExports } from './transactions/abandoned-exports.ts';
import type { Examiner } from '../../platform/slack/examiner.ts';
import { createPlaces, FIGURES } from './places.ts';
import { shareRoute } from './balance/share.ts';
import { topUpRoute } from './balance/top-up.ts';
import { billsRoute } from './postpaid/bills.ts';
import { chargesRoute, type MonthListDeps } from './postpaid/charges.ts';
import { billsButton, chargesButton } from './postpaid/list-messages.ts';
import { spendingRoute } from './postpaid/spending.ts';
import { watchedMonth } from './postpaid/watched-month.ts';
import { type TransactionsDeps, transactionsRoute } from './transactions/transactions.ts';
import { type UsageDeps, usageRoute } from './usage/usage.ts';

/** What says who reads a channel. */
interface Asking {
  readonly examiner: Pick<Examiner, 'channel'>;
}
type Given = Omit<
  TransactionsDeps &
    UsageDeps &
    AlertsDeps &
    DigestDeps &
    BuyTimeDeps &
    BuyTimePlanDeps &
    CheckDeps &
    DeliverDeps,
  'places' | 'watched'
> &
  Asking;
export type BillingDeps = Given;
/** What is needed where it is paid afterwards. */
export type PostpaidDeps = Pick<Given, keyof AlertsDeps & keyof Given> &
  Pick<Given, keyof CheckDeps & keyof Given> &
  DeliverDeps &
  Asking &
  Pick<MonthListDeps, 'calendar' | 'offers'> & { readonly instancesRoute: string };

/** `/billing`: what is left, what it is spent on, how long it lasts, and who hears of it when it doesn't. */
export function billingFeature(given: BillingDeps): Feature {
  const deps = prepaid(given);
  return {
    noun: 'billing',
    default: 'billing.balance',
    summary: 'see the balance and what it is spent on',
    routes: [
      balanceRoute(deps),
      shareRoute(deps),
      usageRoute(deps),
      transactionsRoute(deps),
      ...alertRoutes(deps),
      buyTimeRoute(deps),
      ...planRoutes(deps),
      topUpRoute(deps),
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
    routes: [spendingRoute(deps), chargesRoute(deps), billsRoute(deps), ...alertRoutes(deps)],
  };
}

/** What is done without being asked: looking at the balance, telling of it, and the digest. */
export function billingBackground(given: BillingDeps): Background {
  const deps = prepaid(given);
  return {
    handlers: {
      ...alertJobs(deps),
      [DIGEST_JOB]: createDigestJob({ ...deps, clock: calendarOf(deps.clock) }),
      [EXPORTS_JOB]: createExportsJob(deps),
    },
    swept: [...sweptAlerts(deps), sweptDigest(deps.plans, deps.clock), sweptExports(deps)],
    guards: { [FIGURES]: deps.places.isAllowed },
  };
}

/** What is done without being asked where it is paid afterwards: looking at the month, and telling of its budget. */
export function postpaidBackground(given: PostpaidDeps): Background {
  const deps = postpaid(given);
  return {
    handlers: alertJobs(deps),
    swept: sweptAlerts(deps),
    guards: { [FIGURES]: deps.places.isAllowed },
  };
}

function prepaid(given: BillingDeps) {
  const { topUp } = given.links;
  const watched = watchedBalance(given.config, given.unit, given.hosting.about.atZero, topUp);
  return { ...given, hosting: inWords(given.hosting), places: createPlaces(given), watched };
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
  return { ...given, billed, watched, places: createPlaces(given), details, instances };
}

export { createPrice } from './price.ts';
export { isBudgetFor } from './postpaid/budget.ts';

/** The route that shows when alerts come and where, for the buttons of others. */
export const ALERTS_ROUTE = ALERT_ROUTES.alerts;
