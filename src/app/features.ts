import { auditRoutes, historyRoutes } from '../features/audit/index.ts';
import type { AuditReader } from '../core/audit/audit-reader.ts';
import type { Approvals } from '../core/approvals/approvals.ts';
import type { FindApprovers } from '../core/approvals/find-approvers.ts';
import { doctorRoutes, type Examine, type Names } from '../features/doctor/index.ts';
import { accessRoutes } from '../features/access/index.ts';
import type { AccessStore } from '../core/policy/access-record.ts';
import type { People } from '../platform/slack/people.ts';
import type { UserGroups } from '../platform/slack/user-groups.ts';
import type { Access } from '../core/policy/access.ts';
import type { ApprovalRule } from '../core/policy/approval.ts';
import type { Protection } from '../core/policy/protection.ts';
import { addonChanges, ADDONS_LIST, addonsFeature } from '../features/addons/index.ts';
import { createAlarmStore } from '../features/billing/alerts/alarm-store.ts';
import { createPlanStore } from '../features/billing/digest/plan.ts';
import { createExportStore } from '../features/billing/transactions/exports-under-way.ts';
import {
  type BillingDeps,
  billingBackground,
  billingFeature,
  createPrice,
  isBudgetFor,
  type PostpaidDeps,
  postpaidBackground,
  postpaidFeature,
} from '../features/billing/index.ts';
import { type Config, ConfigError } from './config/config.ts';
import { createMoreHoldings, createWatches } from './watch-holdings.ts';
import { homeShows } from './home-shows.ts';
import type { HomeDeps } from '../features/lamplighter/home.ts';
import type { Change } from '../core/changes/change.ts';
import type { Batches } from '../core/batches/batches.ts';
import type { SeveralWords } from '../core/batches/words.ts';
import type { Schedules } from '../core/schedules/schedules.ts';
import type { Links } from '../core/links.ts';
import type { Offers } from '../core/offers/offers.ts';
import type { Background, Feature } from '../core/intake/feature.ts';
import { nounIn } from '../core/intake/routes.ts';
import { withPriority } from '../platform/hosting/with-priority.ts';
import type { HostingService } from '../platform/hosting/service.ts';
import {
  instanceChanges,
  instancesFeature,
  LIST_ROUTE,
  RESTART_ROUTE,
  SHOW_ROUTE,
  START_ROUTE,
  STOP_ROUTE,
} from '../features/instances/index.ts';
import {
  createWatchPlaces,
  watchesBackground,
  type WatchesDeps,
  watchRoutes,
} from '../features/watches/index.ts';
import { rolesFileOf } from './rights.ts';
import { changingDeps, showing } from './changing.ts';
import { CANCEL_ROUTE } from '../features/lamplighter/cancel.ts';
import { aboutFeature, notOfferedFeature } from '../features/lamplighter/index.ts';
import { TELL_ROUTE } from '../features/lamplighter/route-ids.ts';
import { FOLLOW_ROUTE } from '../features/lamplighter/running.ts';
import type { Log } from '../platform/log/log.ts';
import type { OperationKind } from '../core/operations/kind.ts';
import type { Operations } from '../core/operations/operations.ts';
import type { BoardStore } from '../core/boards/board-store.ts';
import type { Lanes } from '../core/outbox/lanes.ts';
import type { Threads } from '../core/threads/threads.ts';
import type { Outbox } from '../core/outbox/outbox.ts';
import type { PastStore } from '../core/operations/recent-store.ts';
import type { WorkQueue } from '../platform/queue/queue.ts';
import { calendarOf, type RedisClock } from '../platform/redis/clock.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import type { Favorites } from '../core/lookup/favorites.ts';
import type { Stores } from './stores.ts';
import type { FaultPoints } from './fault-points.ts';
import type { OpenHomes } from '../core/homes/open-homes.ts';
import type { Prompts } from '../platform/slack/prompts.ts';
import type { Homes } from '../platform/slack/homes.ts';
import type { Messenger } from '../platform/slack/messenger.ts';
import type { Examiner } from '../platform/slack/examiner.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Uploads } from '../platform/slack/upload.ts';
import type { Timings } from '../core/timings.ts';

/**
 * Every feature and what each is given. A new one joins here: its kinds of operation, its routes, and what it does without
 * being asked. Features meet by the ids of their routes and never import each other.
 */

export interface ChangesDeps {
  readonly config: Config;
  readonly hosting: HostingService;
  readonly isProtected: Protection;
  /** Those that count now, as the admins. */
  readonly approvalRules: () => readonly ApprovalRule[];
  readonly admins: () => readonly string[];
  readonly offers: Offers;
  readonly links: Links;
  readonly past: PastStore;
  readonly clock: RedisClock;
  readonly timings: Timings;
  readonly access: Access;
}

/** The verbs that change something, by noun. */
export interface Changes {
  readonly instances: readonly Change[];
  readonly addons: readonly Change[];
}

export interface FeaturesDeps
  extends
    ChangesDeps,
    Pick<Stores, 'accessRequests' | 'lastAsks' | 'notifyChoices' | 'requests' | 'waiting'> {
  readonly changes: Changes;
  readonly operations: Operations;
  readonly batches: Batches;
  readonly schedules: Schedules;
  readonly favorites: Favorites;
  readonly accessStore: AccessStore;
  readonly otherAccounts: HomeDeps['otherAccounts'];
  /** Undefined where the account is the only one. */
  readonly accountName: string | undefined;
  readonly defaultIn: readonly string[];
  /** People whom the configuration of the account names, and where it does. */
  readonly namedPeople: () => readonly Names[];
  readonly people: People;
  readonly userGroups: UserGroups;
  readonly messenger: Messenger;
  readonly homes: Homes;
  readonly prompts: Prompts;
  readonly openHomes: OpenHomes;
  readonly lanes: Lanes;
  readonly threads: Threads;
  readonly boardStore: BoardStore;
  readonly outbox: Outbox;
  readonly approvals: Approvals;
  readonly findApprovers: FindApprovers;
  readonly auditReader: AuditReader;
  readonly uploads: Uploads;
  readonly examiner: Examiner;
  readonly metrics: Metrics;
  readonly examine: Examine;
  readonly queue: WorkQueue;
  /** What the features' own records are kept on: one that does not wait for people, one that does for jobs. */
  readonly redis: RedisConnection;
  readonly faultPoints: FaultPoints;
  readonly log: Log;
}

/** Verbs that are declared elsewhere and join those of the features. */
export type MoreChanges = (deps: ChangesDeps) => Partial<Changes>;

/** Every verb that changes something. */
export function createChanges(deps: ChangesDeps, more: MoreChanges = () => ({})): Changes {
  const unit = deps.config.billingUnit;
  const price = createPrice({ ...deps, unit, now: () => deps.clock.now() });
  const hosting = withPriority(deps.hosting, 'change');
  const given = { ...deps, hosting, cancelWindowMs: deps.timings.cancelWindowMs, unit, price };
  const { instances = [], addons = [] } = more(deps);
  return {
    instances: [...instanceChanges(given), ...instances],
    addons: deps.hosting.about.offers.addons ? [...addonChanges(given), ...addons] : [],
  };
}

/** Every kind of operation. */
export function createKinds(
  changes: Changes,
  { timings, links }: Pick<ChangesDeps, 'timings' | 'links'>,
): readonly OperationKind[] {
  const deps = {
    timings,
    links,
    cancelRoute: CANCEL_ROUTE,
    showRoute: SHOW_ROUTE,
    followRoute: FOLLOW_ROUTE,
    tellRoute: TELL_ROUTE,
  };
  return Object.values(changes).flatMap((ofNoun: readonly Change[]) => ofNoun.map((one) => one.kind(deps)));
}

/** How a kind of operation speaks of several instances. */
export function wordsOfSeveral(changes: Changes): (kind: string) => SeveralWords | undefined {
  const words = new Map(
    Object.values(changes).flatMap((ofNoun: readonly Change[]) => ofNoun.map((one) => [one.id, one.several])),
  );
  return (kind) => words.get(kind);
}

/** Every feature, in the order in which help shows them. */
export function createFeatures(deps: FeaturesDeps): readonly Feature[] {
  const { config, changes } = deps;
  const { name, offers } = deps.hosting.about;
  const changing = {
    ...changingDeps(deps),
    addonsRoute: offers.addons ? ADDONS_LIST : undefined,
    unit: config.billingUnit,
  };
  const features: readonly Feature[] = [
    instancesFeature({ ...changing, features: () => features }, changes.instances, [
      ...watchRoutes(watchesDeps(deps)),
      ...historyRoutes(deps),
    ]),
    offers.addons ? addonsFeature(changing, changes.addons) : notOfferedFeature('addons', 'add-ons', name),
    billingOf(deps),
    aboutFeature(
      {
        ...changing,
        changes: Object.values(changes).flat(),
        prefix: config.slack.commandPrefix,
        homeShows: homeShows(offers),
        features: () => features,
      },
      [
        ...accessRoutes({
          ...changing,
          changes: Object.values(changes).flat(),
          features: () => features,
          rolesFile: rolesFileOf(config),
          moreHoldings: createMoreHoldings(deps),
        }),
        ...auditRoutes({ ...deps, nounOf: (routeId) => nounIn(features, routeId) }),
        ...doctorRoutes(deps),
      ],
    ),
  ];
  return features;
}

/** `/billing`, as the service is paid. */
function billingOf(deps: FeaturesDeps): Feature {
  const { name, offers } = deps.hosting.about;
  switch (offers.billing) {
    case 'prepaid':
      return billingFeature(billingDeps(deps));
    case 'postpaid':
      return postpaidFeature(postpaidDeps(deps));
    case undefined:
      return notOfferedFeature('billing', 'balance and no usage figures', name);
  }
}

/** What features do without being asked. */
export function createBackground(deps: FeaturesDeps): readonly Background[] {
  const { billing } = deps.hosting.about.offers;
  return [
    ...(billing === 'prepaid' ? [billingBackground(billingDeps(deps))] : []),
    ...(billing === 'postpaid' ? [postpaidBackground(postpaidDeps(deps))] : []),
    watchesBackground(watchesDeps(deps)),
  ];
}

function watchesDeps(given: FeaturesDeps): WatchesDeps {
  const { redis, faultPoints, ...deps } = given;
  return {
    ...deps,
    watches: createWatches(given),
    watchPlaces: faultPoints('watch places', createWatchPlaces(redis)),
    startThese: showing(given, START_ROUTE),
    restartThese: showing(given, RESTART_ROUTE),
  };
}

/** What alerts are given, however the service is paid. */
function alertsDeps({ config, redis, faultPoints, ...deps }: FeaturesDeps) {
  return {
    ...deps,
    store: faultPoints('alarm', createAlarmStore(redis)),
    config: config.alerts,
  };
}

/** Throws a ConfigError where the budget is in another currency than the bill. */
function postpaidDeps(given: FeaturesDeps): PostpaidDeps {
  const { name, currency = '' } = given.hosting.about;
  const { budget } = given.config.alerts;
  if (budget !== undefined && !isBudgetFor(budget, currency))
    throw new ConfigError([`BILLING_BUDGET must be in ${currency}, which ${name} bills in`]);
  const calendar = given.faultPoints('calendar', { today: async () => calendarOf(given.clock).now() });
  return { ...alertsDeps(given), calendar, instancesRoute: LIST_ROUTE };
}

function billingDeps(given: FeaturesDeps): BillingDeps {
  const { config, redis, faultPoints, ...deps } = given;
  return {
    ...alertsDeps(given),
    exports: faultPoints('exports', createExportStore(redis)),
    plans: faultPoints('digest', createPlanStore(redis)),
    unit: config.billingUnit,
    stopRoute: STOP_ROUTE,
    stopThese: showing(given, STOP_ROUTE),
    now: () => deps.clock.now(),
  };
}
