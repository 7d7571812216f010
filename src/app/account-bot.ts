import { STORY_ROUTE } from '../features/audit/index.ts';
import type { Account } from '../core/accounts/account.ts';
import { namesIn, scopeOf } from '../platform/redis/key.ts';
import { createBatchStore } from '../core/batches/batch-store.ts';
import { createBatches } from '../core/batches/batches.ts';
import { createLinks } from '../core/links.ts';
import { createOperations } from '../core/operations/operations.ts';
import { createAttemptLimit } from '../core/operations/run.ts';
import { type StateOwner, deploymentKeys } from '../core/deployment/owner.ts';
import { createFindApprovers } from '../core/approvals/find-approvers.ts';
import type { Ask } from '../core/ask/ask.ts';
import type { Feature } from '../core/intake/route.ts';
import { createIntake } from '../core/intake/intake.ts';
import type { Listeners } from '../core/intake/listeners.ts';
import { createListeners } from '../core/intake/router.ts';
import { createRouteTable } from '../core/intake/routes.ts';
import type { Timings } from '../core/timings.ts';
import { unitOf } from '../platform/hosting/about-service.ts';
import type { Adapter } from '../platform/hosting/adapter.ts';
import type { HostingService } from '../platform/hosting/service.ts';
import { type Log, logOf } from '../platform/log/log.ts';
import { tracesOf } from '../platform/traces/traces.ts';
import type { AccountMark } from '../platform/slack/account-mark.ts';
import type { Config } from './config/config.ts';
import { createExamination, logDoubts } from './doctor.ts';
import { createChanges, createFeatures, createKinds, withKnownVerbs } from './features.ts';
import { createSpeaker } from './farewells.ts';
import { createAccountOwner, createHosting } from './hosting.ts';
import { type Jobs, startJobs } from './kinds.ts';
import { createLeavers, createWatchdogs, createWeekly } from './unasked.ts';
import { type AccountAgents, createAgents, createAnswering, createLines, type Lines } from './answering.ts';
import type { FeaturesDeps } from './features-deps.ts';
import { homeShows } from './home.ts';
import { createRights, policyOf } from './rights.ts';
import type { ConfiguredAccount } from './config/accounts.ts';
import { createTellSettings, type TellSettings } from '../core/watchdogs/tell-settings.ts';
import { LIST_ROUTE } from '../features/instances/index.ts';
import { CANCEL_ROUTE } from '../features/lamplighter/cancel.ts';
import { goingOn } from '../features/lamplighter/index.ts';
import { FOLLOW_ROUTE } from '../features/lamplighter/running.ts';
import { say, strong } from '../platform/slack/phrase.ts';
import type { Speaker } from '../core/watchdogs/farewell/record.ts';
import { createStepListener } from '../core/workflow-steps/step.ts';
import { createSlack, type Slack } from './slack.ts';
import { createStores, type Stores } from './stores.ts';
import type { Common } from './shared-by-accounts.ts';

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
  /** The names of its workspace and of itself, where there are several. */
  readonly scope: string;
  readonly listeners: Listeners;
  readonly lines: Lines;
  readonly agents: AccountAgents;
  /**
   * Says in the log what the configuration names and isn't there, and tells the admins of people who have left and hold something
   * still, where this process works behind the queue. Never throws.
   */
  checkNamed(): Promise<void>;
  readonly tellSettings: TellSettings;
  /** What it has to say should the bot fall silent. */
  readonly speaker: Speaker;
  /** What is done now and again beside the jobs, where this process works behind the queue. */
  readonly watchdogs: readonly (() => Promise<void>)[];
  /** Undefined where this process does not work behind the queue. */
  readonly startJobs: (() => Jobs) | undefined;
  /** Tells those who wait for a request to be written down that the process ends. */
  stop(): void;
  /** Lets go of everything. */
  close(): Promise<void>;
}

/** Tells the Home of the other accounts how this one is summed up. */
function sumUp({ account }: AccountSetup, { otherAccounts }: Common, bot: FeaturesDeps): void {
  if (!account) return;
  const summed = { ...bot, homeShows: homeShows(bot.hosting.about.offers) };
  otherAccounts.add(account.name, async (ask) => ({
    lines: [say`${strong(account.name)}`, ...(await goingOn(summed, ask))],
  }));
}

/** What an account's part of the bot keeps, and what it asks of Slack and of the hosting service. */
function createOutside(
  setup: AccountSetup,
  { shared, readTogether, jobQueue, worker, workspace, settings, ...common }: Common,
): Pick<AccountBot, 'stores' | 'slack' | 'hosting' | 'owner'> & {
  readonly log: Log;
  /** What stands before each of its keys. */
  readonly scope: string;
} {
  const { account, config, timings, mark } = setup;
  const { metrics, faultPoints, wayOut, log: logOfAll } = common;
  const log = account ? logOf(account.name, logOfAll) : logOfAll;
  const scope = `${workspace.scope}${account ? scopeOf(account.name) : ''}`;
  const given = { config, timings, faultPoints, wayOut, metrics, log };
  const stores = createStores({
    ...given,
    holidays: () => settings.of(account?.name).config.policy?.holidays ?? {},
    scope,
    shared,
    jobQueue,
    workspaceRedis: workspace.redis,
    isWorker: worker !== undefined,
  });
  // One key has one budget, whichever part of the bot uses it.
  const redis = shared.failFast;
  const slack = createSlack({
    ...given,
    token: workspace.token,
    teamId: workspace.teamId,
    ...(mark ? { mark } : {}),
  });
  const kept = { redis: stores.failFast, read: () => readTogether(scope, deploymentKeys.owner) };
  const owner = createAccountOwner(setup, kept, () => slack.identity.known()?.teamId);
  const calling = { owner, redis, now: shared.clock.now };
  const service = createHosting({ ...setup, ...given, ...calling });
  return {
    stores,
    slack,
    owner,
    hosting: faultPoints('hosting', service),
    log,
    scope,
  };
}

/** Builds the part of the bot that runs one account. */
export function createAccountBot(setup: AccountSetup, common: Common): AccountBot {
  const { account, mark, config, adapter, timings } = setup;
  const { shared, worker, faultPoints, more, settings, otherAccounts } = common;
  const live = (): ConfiguredAccount => settings.of(account?.name);
  const { stores, slack, hosting, owner, log, scope } = createOutside(setup, common);
  const { failFast, blocking, clock, accessStore } = stores;
  const access = faultPoints('access', createRights(live, slack, accessStore, hosting, clock.now, log));
  // Each part below asks by its type for its share of what is built by now.
  const base = {
    ...common,
    ...stores,
    ...slack,
    redis: failFast,
    log,
    traces: tracesOf(namesIn(scope), common.traces),
    config,
    timings,
    unit: unitOf(hosting.about),
    hosting,
    writeQueue: faultPoints('write queue', hosting.writeQueue),
    access,
    findApprovers: createFindApprovers({ ...slack, access, clock, log }),
    ...policyOf(live, failFast),
    links: createLinks({ ...config.links, instanceUrl: config.links.instanceUrl ?? adapter.consoleUrl }),
    teamId: () => slack.identity.known()?.teamId,
    accountName: account?.name,
    defaultIn: account?.defaultIn ?? [],
    otherAccounts: async (ask: Ask) =>
      mark ? otherAccounts.summaries(mark.othersFor(ask.actor.userId), ask) : [],
    followRoute: FOLLOW_ROUTE,
    cancelRoute: CANCEL_ROUTE,
    listRoute: LIST_ROUTE,
    storyRoute: STORY_ROUTE,
    apiUrl: config.slack.apiUrl,
    commandPrefix: config.slack.commandPrefix,
  };
  const changes = createChanges(base, more);
  const workspaceUrl = (): string | undefined => slack.identity.known()?.url;
  const operations = createOperations({ ...base, kinds: createKinds(changes, base), workspaceUrl });
  const intake = createIntake(base);
  const workflowStep = createStepListener(base);
  const { namedPeople, findLeavers, tellLeavers } = createLeavers(live, base);
  const examined = { ...base, owner, adapter, live, budgetRedis: shared.failFast, findLeavers };
  const examine = createExamination(examined);
  const batchStore = faultPoints('batches', createBatchStore(failFast));
  const batches = createBatches({ ...base, batchStore, operations });
  const unbuilt = { ...base, changes, operations, batches, examine, namedPeople };
  const features: readonly Feature[] = createFeatures({ ...unbuilt, features: () => features });
  const bot = { ...unbuilt, features: () => features };
  sumUp(setup, common, bot);
  const routes = createRouteTable(withKnownVerbs(config, adapter.name, features));
  const answer = createAnswering({ ...bot, routes });
  const waiting = { ...bot, redis: blocking, scope, routes, answer };
  return {
    setup,
    slack,
    hosting,
    owner,
    stores,
    scope,
    agents: createAgents({ ...bot, routes }),
    lines: createLines({ ...bot, routes }),
    listeners: createListeners({ ...bot, routes, intake, answer, workflowStep }),
    checkNamed: async () => {
      if (worker) logDoubts([], await createExamination(examined, { part: 'named' })(), log);
      if (worker) await tellLeavers().then(createWeekly(live, bot));
    },
    tellSettings: createTellSettings(bot),
    speaker: createSpeaker(bot),
    watchdogs: worker ? createWatchdogs(config, { ...bot, scope }) : [],
    startJobs: worker
      ? () => startJobs({ ...waiting, worker, attempts: createAttemptLimit(bot) })
      : undefined,
    stop: () => intake.stop(),
    close: () => hosting.close(),
  };
}
