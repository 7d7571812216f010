import { createWaitingStore } from '../core/intake/waiting.ts';
import { waitingBackground } from '../core/intake/waiting-job.ts';
import { createReadSentence } from '../core/intake/sentence.ts';
import type { Account } from '../core/accounts/account.ts';
import { scopeOf } from '../platform/redis/key.ts';
import { createBatches } from '../core/batches/batches.ts';
import { createLinks } from '../core/links.ts';
import { createFindNamed, createFindSubject } from '../core/intake/subject.ts';
import { createResolveThis, type ResolveThis } from '../core/intake/this.ts';
import { createOperations } from '../core/operations/operations.ts';
import { createAttemptLimit } from '../core/operations/attempt-limit.ts';
import type { StateOwner } from '../core/deployment/owner.ts';
import { createFindApprovers } from '../core/approvals/find-approvers.ts';
import type { Access } from '../core/policy/access.ts';
import type { AccessStore } from '../core/policy/access-record.ts';
import { protectionBy } from '../core/policy/protection.ts';
import { createAnswer } from '../core/intake/answer.ts';
import { createIntake } from '../core/intake/intake.ts';
import type { RateLimit } from '../core/intake/rate-limit.ts';
import type { Background } from '../core/intake/feature.ts';
import type { Listeners } from '../core/intake/listeners.ts';
import { createListeners } from '../core/intake/router.ts';
import { createRouteTable } from '../core/intake/routes.ts';
import type { Timings } from '../core/timings.ts';
import type { Adapter } from '../platform/hosting/adapter.ts';
import type { HostingService } from '../platform/hosting/service.ts';
import type { WayOut } from '../platform/http/way-out.ts';
import { type Log, logOf } from '../platform/log/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { AccountMark } from '../platform/slack/account-mark.ts';
import type { CurrentToken } from '../platform/slack/token-fetch.ts';
import type { InFlight } from '../platform/slack/in-flight.ts';
import { withKnownVerbs } from './change-verbs.ts';
import type { Config } from './config/config.ts';
import type { FaultPoints } from './fault-points.ts';
import { createExamination } from './doctor.ts';
import { logDoubts } from './log-doubts.ts';
import {
  createBackground,
  createChanges,
  createFeatures,
  createKinds,
  type MoreChanges,
} from './features.ts';
import { createHosting } from './hosting.ts';
import { createHomesBackground, type HomesDeps } from './homes.ts';
import { type Jobs, startJobs } from './jobs.ts';
import { createLeavers } from './leavers.ts';
import { createAccountOwner } from './owners.ts';
import { homeShows } from './home-shows.ts';
import { createLines, type Lines } from './account-lines.ts';
import { createWatchdogs } from './account-watchdogs.ts';
import { createRights } from './rights.ts';
import type { Settings } from './settings.ts';
import type { ConfiguredAccount } from './config/accounts.ts';
import { createTellSettings, type TellSettings } from '../core/watchdogs/tell-settings.ts';
import type { OtherAccounts } from './other-accounts.ts';
import { goingOn } from '../features/lamplighter/index.ts';
import { say, strong } from '../platform/slack/phrase.ts';
import { createSlack, type Slack } from './slack.ts';
import type { Connections, SharedRedis } from './redis.ts';
import { createStores, type Stores } from './stores.ts';

/** A workspace in Slack, and where what is kept of it stands in Redis. */
export interface Workspace {
  /** What is put before each key; empty where the bot works in one workspace. */
  readonly scope: string;
  readonly redis: Connections;
  /** Its bot token. */
  readonly token: CurrentToken;
}

/** What the parts of the bot that run one account each have in common. */
export interface Common {
  readonly shared: SharedRedis;
  readonly workspace: Workspace;
  /** What each account of the workspace says in the Home of the others. */
  readonly otherAccounts: OtherAccounts;
  readonly settings: Settings;
  /** Has the files looked at at once, where a key or a token was refused. */
  readonly readAgain: () => Promise<void>;
  readonly metrics: Metrics;
  readonly inFlight: InFlight;
  readonly rateLimit: RateLimit;
  /** The waits of the process. */
  readonly timings: Timings;
  readonly faultPoints: FaultPoints;
  readonly wayOut: WayOut;
  readonly more: MoreChanges | undefined;
  readonly log: Log;
}

/** One account that the bot runs. */
export interface AccountSetup {
  /** Undefined where it is the only one, which needs no name. */
  readonly account: Account | undefined;
  readonly config: Config;
  readonly adapter: Adapter;
  readonly timings: Timings;
  /** The account's mark on all that is said; undefined where it is the only one. */
  readonly mark: AccountMark | undefined;
}

/** The part of the bot that runs one account: nothing that it keeps is found by another. */
export interface AccountBot {
  readonly setup: AccountSetup;
  readonly slack: Slack;
  readonly hosting: HostingService;
  /** Whose state it works with. */
  readonly owner: StateOwner;
  readonly stores: Stores;
  readonly listeners: Listeners;
  readonly lines: Lines;
  /**
   * Says in the log what the configuration names and isn't there, and tells the admins of people who have left and hold something
   * still, where this process works behind the queue. Never throws.
   */
  checkNamed(): Promise<void>;
  readonly tellSettings: TellSettings;
  /** What is done now and again beside the jobs, where this process works behind the queue. */
  readonly watchdogs: readonly (() => Promise<void>)[];
  /** Undefined where this process does not work behind the queue. */
  readonly startJobs: (() => Jobs) | undefined;
  /** Tells those who wait for a request to be written down that the process ends. */
  stop(): void;
  /** Lets go of everything. */
  close(): Promise<void>;
}

/** What an account is among others, and what its Home says of those that a person can reach. */
function amongOf(
  { account, mark }: AccountSetup,
  { otherAccounts }: Common,
): Pick<HomesDeps, 'accountName' | 'defaultIn' | 'otherAccounts'> {
  return {
    accountName: account?.name,
    defaultIn: account?.defaultIn ?? [],
    otherAccounts: async (ask) =>
      mark ? otherAccounts.summaries(mark.othersFor(ask.actor.userId), ask) : [],
  };
}

/** Tells the Home of the other accounts how this one is summed up. */
function sumUp(
  { account }: AccountSetup,
  { otherAccounts }: Common,
  summed: Parameters<typeof goingOn>[0],
): void {
  if (!account) return;
  otherAccounts.add(account.name, async (ask) => ({
    lines: [say`${strong(account.name)}`, ...(await goingOn(summed, ask))],
  }));
}

/** What an account's part of the bot keeps, and what it asks of Slack and of the hosting service. */
function createOutside(
  setup: AccountSetup,
  { shared, workspace, settings, readAgain, metrics, faultPoints, wayOut, log: logOfAll }: Common,
): Pick<AccountBot, 'stores' | 'slack' | 'hosting' | 'owner'> & {
  readonly log: Log;
  readonly isWorker: boolean;
  /** What stands before each of its keys. */
  readonly scope: string;
} {
  const { account, config, timings, mark } = setup;
  const log = account ? logOf(account.name, logOfAll) : logOfAll;
  const isWorker = config.role !== 'web';
  const scope = `${workspace.scope}${account ? scopeOf(account.name) : ''}`;
  const given = { config, timings, faultPoints, wayOut, metrics, log };
  const stores = createStores({
    ...given,
    scope,
    shared,
    workspaceRedis: workspace.redis,
    isWorker,
  });
  // One key has one budget, whichever part of the bot uses it.
  const redis = shared.failFast;
  const slack = createSlack({ ...given, token: workspace.token, ...(mark ? { mark } : {}) });
  const owner = createAccountOwner(setup, settings, stores.failFast, () => slack.identity.known()?.teamId);
  const live = (): Config => settings.of(account?.name).config;
  const { secrets } = settings;
  const calling = { live, secrets, readAgain, owner, redis, now: shared.clock.now };
  const service = createHosting({ ...setup, ...given, ...calling });
  return {
    stores,
    slack,
    owner,
    hosting: faultPoints('hosting', service),
    log,
    isWorker,
    scope,
  };
}

/** Builds the part of the bot that runs one account. */
export function createAccountBot(setup: AccountSetup, common: Common): AccountBot {
  const { config, adapter, timings } = setup;
  const { shared, faultPoints, more, settings, wayOut } = common;
  const live = (): ConfiguredAccount => settings.of(setup.account?.name);
  const outside = createOutside(setup, common);
  const { stores, slack, hosting, owner, log, isWorker, scope } = outside;
  const { failFast, blocking, clock } = stores;
  const { commandPrefix, apiUrl } = config.slack;
  const rightsBy = (store: AccessStore): Access => createRights(live, slack, store, clock.now, log);
  const access = faultPoints('access', rightsBy(stores.accessStore));

  // Each part below asks by its type for its share of what is built by now.
  const given = {
    ...common,
    ...stores,
    ...slack,
    log,
    config,
    timings,
    hosting,
    writeQueue: faultPoints('write queue', hosting.writeQueue),
    access,
    findApprovers: createFindApprovers({ ...slack, access, clock, log }),
    isProtected: protectionBy(() => live().config.protectedInstances),
    approvalRules: () => live().config.approvals,
    admins: () => live().config.admins,
    links: createLinks(config.links),
  };
  const changes = createChanges(given, more);
  const operations = createOperations({
    ...given,
    kinds: createKinds(changes, given),
    workspaceUrl: () => slack.identity.known()?.url,
  });
  const intake = createIntake(given);
  const { namedPeople, findLeavers, tellLeavers } = createLeavers(live, given);
  const ofAccount = { owner, adapter, live, redis: failFast, budgetRedis: shared.failFast };
  const examined = { ...given, ...ofAccount, findLeavers };
  const examine = createExamination(examined);
  const batches = createBatches({ ...given, batchStore: stores.failFastBatchStore, operations });
  const amongOthers = amongOf(setup, common);
  const forFeatures = { ...given, ...amongOthers, changes, operations, batches, examine, namedPeople };
  const features = createFeatures({ ...forFeatures, redis: failFast });
  sumUp(setup, common, { access, features: () => features, homeShows: homeShows(hosting.about.offers) });
  const routes = createRouteTable(withKnownVerbs(config, adapter.name, features));
  const find = { findSubject: createFindSubject(forFeatures), findNamed: createFindNamed(given) };
  const readSentence = createReadSentence({ ...given, routes });
  const answer = createAnswer({ ...withThis(given), readSentence, routes, ...find, now: clock.now });
  return {
    setup,
    slack,
    hosting,
    owner,
    stores,
    lines: createLines({ ...given, routes, commandPrefix }),
    listeners: createListeners({ ...given, routes, intake, answer, commandPrefix, apiUrl }),
    checkNamed: async () => {
      if (isWorker) logDoubts([], await createExamination(examined, { part: 'named' })(), log);
      if (isWorker) await tellLeavers();
    },
    tellSettings: createTellSettings(given),
    watchdogs: isWorker ? createWatchdogs(config, { ...given, live, operations, wayOut, scope }) : [],
    startJobs: isWorker
      ? () =>
          startJobs({
            ...forFeatures,
            attempts: createAttemptLimit({ ...given, operations }),
            background: createAllBackground({ ...forFeatures, rightsBy }),
            routes,
            answer,
            redis: blocking,
          })
      : undefined,
    stop: () => intake.stop(),
    close: async () => {
      await hosting.close();
      await stores.close();
    },
  };
}

/** What is given, and what "this" means in the thread of a card. */
function withThis<Given extends Parameters<typeof createResolveThis>[0]>(
  given: Given,
): Given & { readonly resolveThis: ResolveThis } {
  return { ...given, resolveThis: createResolveThis(given) };
}

/** What is done without being asked; what draws for people doesn't wait for Redis. */
function createAllBackground(given: Omit<HomesDeps, 'redis'> & Stores): readonly Background[] {
  return [
    ...createBackground({ ...given, redis: given.blocking }),
    waitingBackground({ ...given, waiting: createWaitingStore(given.blocking) }),
    createHomesBackground({ ...given, redis: given.failFast }),
  ];
}
