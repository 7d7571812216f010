import { createOneRecord } from '../core/records/one-record.ts';
import { STORY_ROUTE } from '../features/audit/index.ts';
import { ALARM } from '../features/billing/alerts/alarm-store.ts';
import type { MoneyWords } from '../features/billing/alerts/last-words.ts';
import { BUDGETS } from '../features/billing/budget/budgets.ts';
import { DIGEST } from '../features/billing/digest/plan.ts';
import { createDays } from '../features/billing/ledger/days.ts';
import { LEDGER } from '../features/billing/ledger/filling.ts';
import type { Outsides } from '../features/billing/outside/reports.ts';
import { PROPOSALS } from '../features/billing/proposals/record.ts';
import {
  type BillingDeps,
  billingBackground,
  billingFeature,
  billingWords,
  isBudgetFor,
  type PostpaidDeps,
  type ScheduleThese,
  postpaidBackground,
  postpaidFeature,
  postpaidWords,
} from '../features/billing/index.ts';
import { ADD_ROUTE, REMOVE_ROUTE } from '../features/addons/index.ts';
import { LIST_ROUTE, removalOf, START_ROUTE, STOP_ROUTE } from '../features/instances/index.ts';
import { notOfferedFeature } from '../features/lamplighter/index.ts';
import type { Background, Feature } from '../core/intake/feature.ts';
import { calendarOf } from '../platform/redis/clock.ts';
import { ConfigError } from './config/config.ts';
import type { FeaturesDeps } from './features-deps.ts';

/** `/billing`, as the service is paid. */
export function billingOf(deps: FeaturesDeps, scheduleThese: ScheduleThese): Feature {
  const { name, offers } = deps.hosting.about;
  switch (offers.billing) {
    case 'prepaid':
      return billingFeature({ ...billingDeps(deps), scheduleThese });
    case 'postpaid':
      return postpaidFeature(postpaidDeps(deps));
    case undefined:
      return notOfferedFeature('billing', 'balance and no usage figures', name);
  }
}

/** What is done of the money without being asked, as the service is paid. */
export function billingBackgroundOf(deps: FeaturesDeps): readonly Background[] {
  const { billing } = deps.hosting.about.offers;
  if (billing === 'prepaid') return [billingBackground(billingDeps(deps))];
  return billing === 'postpaid' ? [postpaidBackground(postpaidDeps(deps))] : [];
}

/** What nobody would see any more of the money if the bot fell silent. */
export function moneyWordsOf(deps: FeaturesDeps): MoneyWords {
  const { billing } = deps.hosting.about.offers;
  if (billing === undefined) return async () => undefined;
  return billing === 'prepaid' ? billingWords(billingDeps(deps)) : postpaidWords(postpaidDeps(deps));
}

/** What alerts are given, however the service is paid. */
function alertsDeps(given: FeaturesDeps) {
  const { config, redis, faultPoints, clock } = given;
  return {
    ...given,
    storyRoute: STORY_ROUTE,
    outside: { to: outsidesOf(config), account: given.accountName },
    store: faultPoints('alarm', createOneRecord(redis, ALARM)),
    config: config.alerts,
    budgets: faultPoints('budgets', createOneRecord(redis, BUDGETS)),
    filling: faultPoints('ledger', createOneRecord(redis, LEDGER)),
    days: faultPoints('ledger days', createDays(redis)),
    calendar: faultPoints('calendar', { today: async () => calendarOf(clock).now() }),
  };
}

/** The places outside of Slack that are configured. */
function outsidesOf({ outside: { webhook, mail } }: FeaturesDeps['config']): Outsides['to'] {
  return [...(webhook ? (['webhook'] as const) : []), ...(mail ? (['mail'] as const) : [])];
}

/** Throws a ConfigError where the budget is in another currency than the bill. */
function postpaidDeps(given: FeaturesDeps): PostpaidDeps {
  const { name, currency = '' } = given.hosting.about;
  const { budget } = given.config.alerts;
  if (budget !== undefined && !isBudgetFor(budget, currency))
    throw new ConfigError([`BILLING_BUDGET must be in ${currency}, which ${name} bills in`]);
  return { ...alertsDeps(given), instancesRoute: LIST_ROUTE };
}

function billingDeps(given: FeaturesDeps): BillingDeps {
  const { redis, faultPoints, clock } = given;
  const { about } = given.hosting;
  const { offers } = about;
  const removal = removalOf(about);
  return {
    ...alertsDeps(given),
    plans: faultPoints('digest', createOneRecord(redis, DIGEST)),
    proposals: faultPoints('proposals', createOneRecord(redis, PROPOSALS)),
    stopRoute: STOP_ROUTE,
    changeRoutes: {
      stop: STOP_ROUTE,
      start: START_ROUTE,
      ...(removal ? { delete: removal.routeId } : {}),
      ...(offers.addons ? { add: ADD_ROUTE, remove: REMOVE_ROUTE } : {}),
    },
    now: () => clock.now(),
  };
}
