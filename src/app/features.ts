import type { Bot } from '../core/bot/bot.ts';
import { auditRoutes, historyRoutes, storyDeadLetters } from '../features/audit/index.ts';
import { doctorRoutes } from '../features/doctor/index.ts';
import { accessRoutes } from '../features/access/index.ts';
import {
  addonChanges,
  ADDONS_LIST,
  addonsFeature,
  ADD_ROUTE,
  REMOVE_ROUTE,
} from '../features/addons/index.ts';
import { createPrice, createMoney, isBudgetFor } from '../features/billing/index.ts';
import { homeShows } from './home.ts';
import type { Change } from '../core/changes/change.ts';
import type { SeveralWords } from '../core/batches/words.ts';
import { SCHEDULE_ROUTES } from '../core/schedules/messages.ts';
import type { Background, Feature, Route, AuditAttempt } from '../core/intake/route.ts';
import { nounIn } from '../core/intake/routes.ts';
import { calendarOf } from '../platform/redis/clock.ts';
import { withPriority } from '../platform/hosting/in-background.ts';
import {
  instanceChanges,
  instancesFeature,
  RESTART_ROUTE,
  SHOW_ROUTE,
  START_ROUTE,
  removalOf,
  STOP_ROUTE,
} from '../features/instances/index.ts';
import { agentDeadLetters, agentsOf } from '../features/agents/index.ts';
import { handoverDeadLetters, handoverRoutes } from '../features/handover/index.ts';
import { onCallRoute } from '../features/on-call/index.ts';
import { createIsPlace, watchesBackground, type Watching, watchRoutes } from '../features/watches/index.ts';
import { createWatches, createMoreHoldings, ownedBy } from './holdings.ts';
import { rolesFileOf } from './rights.ts';
import { CANCEL_ROUTE } from '../features/lamplighter/cancel.ts';
import { aboutFeature, notOfferedFeature } from '../features/lamplighter/index.ts';
import { FOLLOW_ROUTE } from '../features/lamplighter/running.ts';
import type { OperationKind } from '../core/operations/kind.ts';
import type { ChangesDeps, Changes, FeaturesDeps, MoreChanges } from './features-deps.ts';
import { isChange } from '../core/policy/permissions.ts';
import { type Config, ConfigError, loadConfig } from './config/config.ts';
import type { Those } from '../core/changes/several.ts';
import type { Ask, Reply } from '../core/ask/ask.ts';
import type { Adapter } from '../platform/hosting/adapter.ts';
import { adapter } from '../platform/hosting/adapters/instance-hosting.ts';
import { aboutOf } from '../platform/hosting/client.ts';
import { TIMINGS } from '../core/timings.ts';
import { createLinks } from '../core/links.ts';
import { noFaultPoints } from '../core/base.ts';

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

/** Every verb that changes something. */
export function createChanges(deps: ChangesDeps, more: MoreChanges = () => ({})): Changes {
  const price = createPrice(deps);
  const hosting = withPriority(deps.hosting, 'change');
  const calendar = calendarOf(deps.clock);
  const given = { ...deps, hosting, calendar, price };
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
    longerRoute: SCHEDULE_ROUTES.longer,
    keepRoute: SCHEDULE_ROUTES.keep,
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

/**
 * Every feature and what each is given, in the order in which help shows them. A new one joins here: its kinds of operation, its routes, and what it does without
 * being asked. Features meet by the ids of their routes and never import each other.
 */
export function createFeatures(deps: FeaturesDeps): readonly Feature[] {
  const { config, changes, features } = deps;
  const { name, offers } = deps.hosting.about;
  const isPlace = createIsPlace(deps);
  const changing = { ...deps, addonsRoute: offers.addons ? ADDONS_LIST : undefined };
  const findRoute = (routeId: string): Route | undefined =>
    features()
      .flatMap(({ routes }) => routes)
      .find(({ id }) => id === routeId);
  const agents = agentsOf({
    ...changing,
    isPlace,
    hasAgents: config.hasAgents,
    changes: changes.instances,
    findRoute,
  });
  return [
    instancesFeature(changing, changes.instances, [
      ...watchRoutes(watchingOf(deps)),
      ...historyRoutes(deps, config.audit.keepMs),
    ]),
    offers.addons ? addonsFeature(changing, changes.addons) : notOfferedFeature('addons', 'add-ons', name),
    // What is proposed to be scheduled is asked as if it were typed.
    moneyOf(deps)?.feature(async (ask, audit) => findRoute(SCHEDULE_ROUTES.set)?.handle(ask, audit)) ??
      notOfferedFeature('billing', 'balance and no usage figures', name),
    aboutFeature(
      {
        ...changing,
        prefix: config.slack.commandPrefix,
        homeShows: homeShows(offers),
      },
      [
        ...accessRoutes({
          ...changing,
          changes: Object.values(changes).flat(),
          rolesFile: rolesFileOf(config),
          moreHoldings: createMoreHoldings(deps),
        }),
        ...auditRoutes({
          ...deps,
          isPlace,
          keepMs: config.audit.keepMs,
          nounOf: (routeId) => nounIn(features(), routeId),
        }),
        ...doctorRoutes({ ...changing, changes: Object.values(changes).flat() }),
        ...handoverRoutes({ ...deps, sources: ownedBy(deps, wordsOfSeveral(changes)) }),
        onCallRoute({ ...deps, policyFile: () => config.policy?.name }),
        ...agents.routes,
      ],
      agents.tools,
    ),
  ];
}

/** What features do without being asked. */
export function createBackground(deps: FeaturesDeps): readonly Background[] {
  const money = moneyOf(deps);
  return [
    ...(money ? [money.background()] : []),
    watchesBackground(watchingOf(deps)),
    { deadLetters: handoverDeadLetters(deps) },
    { deadLetters: storyDeadLetters(deps) },
    { deadLetters: agentDeadLetters(deps) },
  ];
}

function watchingOf(given: FeaturesDeps): Watching {
  return {
    ...given,
    watches: createWatches(given),
    startThese: showing(given, START_ROUTE),
    restartThese: showing(given, RESTART_ROUTE),
  };
}

/** The verbs that change instances, as people type them. */
export function changeVerbs(features: readonly Feature[]): readonly string[] {
  return features
    .flatMap(({ routes }) => routes)
    .filter(({ permission, usage }) => permission && isChange(permission) && usage !== undefined)
    .map(({ verb }) => verb);
}

/**
 * The features of a service, by how people call it. Throws a ConfigError where an approval is for a verb that they don't
 * have: it would never be asked for.
 */
export function withKnownVerbs(
  { policy }: Pick<Config, 'policy'>,
  service: string,
  features: readonly Feature[],
): readonly Feature[] {
  const faults = policy?.faultsAt({ verbs: changeVerbs(features), service }) ?? [];
  if (faults.length === 0) return features;
  throw new ConfigError(faults.map((fault) => `LAMPLIGHTER_POLICY ${fault}`));
}

/** Shows what a verb would do with several instances, and asks, for features that offer it without having the verb. */
function showing(
  deps: Bot & { readonly changes: { readonly instances: readonly Change[] } },
  routeId: string,
): (ask: Ask, those: Those, audit: AuditAttempt) => Promise<Reply> {
  const change = deps.changes.instances.find(({ id }) => id === routeId);
  return async (ask, those, audit) => change?.showThose(deps, ask, those, audit);
}

/** Every feature that a hosting service has, with nothing behind it: what its routes declare can be read, and none of them can be called. */
export function createBareFeatures(of: Adapter = adapter): readonly Feature[] {
  const config = loadConfig({
    SLACK_BOT_TOKEN: 'xoxb-only-read',
    SLACK_SIGNING_SECRET: 'only-read',
    HOSTING_API_URL: 'https://hosting.example.com',
    HOSTING_API_TOKEN: 'only-read',
  });
  const hosting = { about: aboutOf(of) };
  const links = createLinks(config.links);
  const given = { config, hosting, links, timings: TIMINGS, faultPoints: noFaultPoints } as FeaturesDeps;
  const features: readonly Feature[] = createFeatures({
    ...given,
    changes: createChanges(given),
    features: () => features,
  });
  return features;
}
