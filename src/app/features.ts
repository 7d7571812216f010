import type { Access } from '../core/policy/access.ts';
import type { Protection } from '../core/policy/protection.ts';
import { addonKinds, ADDONS_LIST, addonsFeature } from '../features/addons/index.ts';
import { createAlarmStore } from '../features/billing/alerts/alarm-store.ts';
import { createPlanStore } from '../features/billing/digest/plan.ts';
import { createExportStore } from '../features/billing/transactions/exports-under-way.ts';
import { type BillingDeps, billingBackground, billingFeature } from '../features/billing/index.ts';
import type { Config } from './config/config.ts';
import type { Confirmations } from '../core/confirmations/confirmations.ts';
import type { Background, Feature } from '../core/routing/feature.ts';
import type { HostingService } from '../platform/hosting/service.ts';
import { instanceKinds, instancesFeature, STOP_ROUTE } from '../features/instances/index.ts';
import { CANCEL_ROUTE } from '../features/lamplighter/cancel.ts';
import { aboutFeature } from '../features/lamplighter/index.ts';
import { FOLLOW_ROUTE } from '../features/lamplighter/running.ts';
import type { Log } from '../platform/log/log.ts';
import type { OperationKind } from '../core/operations/kind.ts';
import type { OfferStore } from '../core/operations/offer-store.ts';
import type { Operations } from '../core/operations/operations.ts';
import type { PastStore } from '../core/operations/past-store.ts';
import type { WorkQueue } from '../platform/queue/queue.ts';
import type { RedisClock } from '../platform/redis/clock.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import type { KeptWords } from '../core/requests/kept-words.ts';
import type { FaultPoints } from './fault-points.ts';
import type { Messenger } from '../platform/slack/messenger.ts';
import type { Uploads } from '../platform/slack/upload.ts';
import type { Timings } from '../core/timings.ts';

/**
 * Every feature and what each is given. A new one joins here: its kinds of operation, its routes, and what it does without
 * being asked. Features meet by the ids of their routes and never import each other.
 */

interface KindsDeps {
  readonly hosting: HostingService;
  readonly isProtected: Protection;
  readonly clock: RedisClock;
  readonly timings: Timings;
}

export interface FeaturesDeps extends KindsDeps {
  readonly config: Config;
  readonly access: Access;
  readonly operations: Operations;
  readonly offers: OfferStore;
  readonly confirmations: Confirmations;
  readonly past: PastStore;
  readonly keptWords: KeptWords;
  readonly messenger: Messenger;
  readonly uploads: Uploads;
  readonly billingQueue: WorkQueue;
  /** What the features' own records are kept on: one that does not wait for people, one that does for jobs. */
  readonly redis: RedisConnection;
  readonly faultPoints: FaultPoints;
  readonly log: Log;
}

/** Every kind of operation. */
export function createKinds(deps: KindsDeps): readonly OperationKind[] {
  const given = { ...deps, cancelRoute: CANCEL_ROUTE };
  return [...instanceKinds(given), ...addonKinds(given)];
}

/** Every feature, in the order in which help shows them. */
export function createFeatures(deps: FeaturesDeps): readonly Feature[] {
  const { config, timings } = deps;
  const changing = {
    ...deps,
    followRoute: FOLLOW_ROUTE,
    cancelRoute: CANCEL_ROUTE,
    addonsRoute: ADDONS_LIST,
    graceMs: timings.deleteGraceMs,
    unit: config.billingUnit,
  };
  const features: readonly Feature[] = [
    instancesFeature(changing),
    addonsFeature(changing),
    billingFeature(billingDeps(deps)),
    aboutFeature({
      ...deps,
      admins: config.admins,
      prefix: config.slack.commandPrefix,
      features: () => features,
    }),
  ];
  return features;
}

/** What features do without being asked. */
export function createBackground(deps: FeaturesDeps): readonly Background[] {
  return [billingBackground(billingDeps(deps))];
}

function billingDeps({ config, redis, faultPoints, ...deps }: FeaturesDeps): BillingDeps {
  return {
    ...deps,
    store: faultPoints('alarm', createAlarmStore(redis)),
    exports: faultPoints('exports', createExportStore(redis)),
    plans: faultPoints('digest', createPlanStore(redis)),
    queue: deps.billingQueue,
    config: config.alerts,
    admins: config.admins,
    unit: config.billingUnit,
    stopRoute: STOP_ROUTE,
    now: () => deps.clock.now(),
  };
}
