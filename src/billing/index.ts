import type { Feature } from '../feature.ts';
import type { AlertsDeps } from './alerts/alerts.ts';
import { alertRoutes } from './alerts/index.ts';
import { balanceRoute } from './balance.ts';
import { type TransactionsDeps, transactionsRoute } from './transactions.ts';
import { usageRoute } from './usage.ts';

/** `/billing`: what is left, what it is spent on, how long it lasts. */
export function billingFeature(deps: TransactionsDeps, alerts: AlertsDeps): Feature {
  return {
    noun: 'billing',
    standard: 'billing.balance',
    summary: 'see the balance and what it is spent on',
    routes: [balanceRoute(deps), usageRoute(deps), transactionsRoute(deps), ...alertRoutes(alerts)],
  };
}
