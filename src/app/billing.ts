import { createMoney, isBudgetFor } from '../features/billing/index.ts';
import { ADD_ROUTE, REMOVE_ROUTE } from '../features/addons/index.ts';
import { removalOf, START_ROUTE, STOP_ROUTE } from '../features/instances/index.ts';
import { ConfigError } from './config/config.ts';
import type { FeaturesDeps } from './features-deps.ts';

/**
 * What is said and done about the money; undefined where the service says nothing of it. Throws a ConfigError where the budget is in
 * another currency than the bill.
 */
export function moneyOf(deps: FeaturesDeps): ReturnType<typeof createMoney> | undefined {
  const { about } = deps.hosting;
  const { name, currency = '', offers } = about;
  if (offers.billing === undefined) return undefined;
  const { alerts, outside } = deps.config;
  if (offers.billing === 'postpaid' && alerts.budget !== undefined && !isBudgetFor(alerts.budget, currency))
    throw new ConfigError([`BILLING_BUDGET must be in ${currency}, which ${name} bills in`]);
  const removal = removalOf(about);
  const given = {
    ...deps,
    config: alerts,
    outside: {
      to: [...(outside.webhook ? (['webhook'] as const) : []), ...(outside.mail ? (['mail'] as const) : [])],
      account: deps.accountName,
    },
    changeRoutes: {
      stop: STOP_ROUTE,
      start: START_ROUTE,
      ...(removal ? { delete: removal.routeId } : {}),
      ...(offers.addons ? { add: ADD_ROUTE, remove: REMOVE_ROUTE } : {}),
    },
  };
  return createMoney(given, offers.billing);
}
