import type { DeliverDeps } from '../../core/outbox/deliver.ts';
import type { Background, Feature } from '../../core/routing/feature.ts';
import type { AlertsDeps } from './alerts/alerts.ts';
import type { CheckDeps } from './alerts/check.ts';
import { alertJobs, alertRoutes, alertSweep } from './alerts/index.ts';
import { ALERT_ROUTES } from './alerts/routes.ts';
import { balanceRoute } from './balance/balance.ts';
import { type BuyTimeDeps, buyTimeRoute } from './buy-time/buy-time.ts';
import { type DigestDeps, digestRoute } from './digest/digest.ts';
import { createDigestJob, createDigestSweep, DIGEST_JOB } from './digest/send.ts';
import { inWords } from './balance/offered.ts';
import {
  createExportSweep,
  createTellExport,
  EXPORT_JOB,
  type TellExportDeps,
} from './transactions/tell-export.ts';
import { createPlaces, FIGURES } from './places.ts';
import { shareRoute } from './balance/share.ts';
import { type TransactionsDeps, transactionsRoute } from './transactions/transactions.ts';
import { type UsageDeps, usageRoute } from './usage/usage.ts';

export type BillingDeps = Omit<
  TransactionsDeps &
    UsageDeps &
    TellExportDeps &
    AlertsDeps &
    DigestDeps &
    BuyTimeDeps &
    CheckDeps &
    DeliverDeps,
  'places'
>;

/** `/billing`: what is left, what it is spent on, how long it lasts, and who hears of it when it doesn't. */
export function billingFeature(given: BillingDeps): Feature {
  const deps = { ...given, hosting: inWords(given.hosting), places: createPlaces(given) };
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
      digestRoute(deps),
    ],
  };
}

/** What is done without being asked: looking at the balance, telling of it, and the digest. */
export function billingBackground(given: BillingDeps): Background {
  const deps = { ...given, hosting: inWords(given.hosting), places: createPlaces(given) };
  const sweeps = [alertSweep(deps), createDigestSweep(deps), createExportSweep(deps)];
  return {
    queue: 'billing',
    handlers: {
      ...alertJobs(deps),
      [DIGEST_JOB]: createDigestJob(deps),
      [EXPORT_JOB]: createTellExport(deps),
    },
    sweeps,
    guards: { [FIGURES]: deps.places.isAllowed },
  };
}

export { createPrice } from './price.ts';

/** The route that shows when alerts come and where, for the buttons of others. */
export const ALERTS_ROUTE = ALERT_ROUTES.alerts;
