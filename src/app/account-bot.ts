import { STORY_ROUTE } from '../features/audit/index.ts';
import { createReadReference } from '../core/intake/read-reference.ts';
import { createReadSentence } from '../core/intake/sentence.ts';
import type { Account } from '../core/accounts/account.ts';
import { namesIn, scopeOf } from '../platform/redis/key.ts';
import { createBatches } from '../core/batches/batches.ts';
import { createLinks } from '../core/links.ts';
import { createFindNamed, createFindSubject } from '../core/intake/subject.ts';
import { withThis } from '../core/intake/this.ts';
import { createOperations } from '../core/operations/operations.ts';
import { createAttemptLimit } from '../core/operations/attempt-limit.ts';
import { type StateOwner, deploymentKeys } from '../core/deployment/owner.ts';
import type { RedisClock } from '../platform/redis/clock.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import { createOnCall } from '../core/on-call/on-call.ts';
import { createFindApprovers } from '../core/approvals/find-approvers.ts';
import { protectionBy } from '../core/policy/protection.ts';
import { type Answer, createAnswer } from '../core/intake/answer.ts';
import { createIntake } from '../core/intake/intake.ts';
import type { Listeners } from '../core/intake/listeners.ts';
import { createListeners } from '../core/intake/router.ts';
import { createRouteTable } from '../core/intake/routes.ts';
import type { Timings } from '../core/timings.ts';
import type { Adapter } from '../platform/hosting/adapter.ts';
import type { HostingService } from '../platform/hosting/service.ts';
import { type Log, logOf } from '../platform/log/log.ts';
import { tracesOf } from '../platform/traces/traces.ts';
import type { AccountMark } from '../platform/slack/account-mark.ts';
import { withKnownVerbs } from './change-verbs.ts';
import type { Config } from './config/config.ts';
import { createExamination } from './doctor.ts';
import { logDoubts } from './log-doubts.ts';
import { createChanges, createFeatures, createKinds } from './features.ts';
import { createSpeaker } from './farewells.ts';
import { createHosting } from './hosting.ts';
import { type Jobs, startJobs } from './jobs.ts';
import { createLeavers } from './leavers.ts';
import { type AccountAgents, createAgents } from './agents.ts';
import { createAccountOwner } from './owners.ts';
import type { FeaturesDeps } from './features-deps.ts';
import { homeShows } from './home-shows.ts';
import { createLines, type Lines } from './account-lines.ts';
import { createWatchdogs } from './account-watchdogs.ts';
import { createWeekly } from './rehearsal.ts';
import { createRights } from './rights.ts';
import type { ConfiguredAccount } from './config/accounts.ts';
import { createTellSettings, type TellSettings } from '../core/watchdogs/tell-settings.ts';
import { goingOn } from '../features/lamplighter/index.ts';
import { say, strong } from '../platform/slack/phrase.ts';
import type { Speaker } from '../core/watchdogs/farewell/last-words.ts';
import { createStepListener } from '../core/workflow-steps/step-listener.ts';
import { STEPS } from '../core/workflow-steps/step.ts';
import { createRecords } from '../core/records/records.ts';
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

/** What an account is among others, and what its Home says of those that a person can reach. */
function amongOf(
  { account, mark }: AccountSetup,
  { otherAccounts }: Common,
): Pick<FeaturesDeps, 'accountName' | 'defaultIn' | 'otherAccounts'> {
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

/** What the configuration says by now of who has a say in a change, and who is called. */
function policyOf(live: () => ConfiguredAccount, redis: RedisConnection) {
  return {
    isProtected: protectionBy(() => live().config.protectedInstances),
    approvalRules: () => live().config.approvals,
    admins: () => live().config.admins,
    onCall: createOnCall(redis, () => live().config.policy?.onCall ?? {}),
    holidays: () => live().config.policy?.holidays ?? {},
    costGroups: () => live().config.policy?.costGroups ?? [],
  };
}

/** What answers whatever is asked, in the words of whoever asks. */
function createAnswering(
  given: Parameters<typeof createFindSubject>[0] &
    Parameters<typeof createFindNamed>[0] &
    Parameters<typeof createReadSentence>[0] &
    Parameters<typeof withThis>[0] &
    Omit<
      Parameters<typeof createAnswer>[0],
      'resolveThis' | 'readSentence' | 'findSubject' | 'findNamed' | 'now'
    > & { readonly clock: RedisClock },
): Answer {
  return createAnswer({
    ...withThis(given),
    readSentence: createReadReference(given, createReadSentence(given)),
    findSubject: createFindSubject(given),
    findNamed: createFindNamed(given),
    now: given.clock.now,
  });
}

/** Builds the part of the bot that runs one account. */
export function createAccountBot(setup: AccountSetup, common: Common): AccountBot {
  const { config, adapter, timings } = setup;
  const { shared, worker, faultPoints, more, settings, wayOut } = common;
  const live = (): ConfiguredAccount => settings.of(setup.account?.name);
  const { stores, slack, hosting, owner, log, scope } = createOutside(setup, common);
  const { failFast, clock, accessStore } = stores;
  const { commandPrefix, apiUrl } = config.slack;
  const access = faultPoints('access', createRights(live, slack, accessStore, hosting, clock.now, log));
  // Each part below asks by its type for its share of what is built by now.
  const given = {
    ...common,
    ...stores,
    ...slack,
    log,
    traces: tracesOf(namesIn(scope), common.traces),
    config,
    timings,
    hosting,
    writeQueue: faultPoints('write queue', hosting.writeQueue),
    access,
    findApprovers: createFindApprovers({ ...slack, access, clock, log }),
    ...policyOf(live, failFast),
    links: createLinks({ ...config.links, instanceUrl: config.links.instanceUrl ?? adapter.consoleUrl }),
    teamId: () => slack.identity.known()?.teamId,
  };
  const changes = createChanges(given, more);
  const operations = createOperations({
    ...given,
    kinds: createKinds(changes, given),
    storyRoute: STORY_ROUTE,
    workspaceUrl: () => slack.identity.known()?.url,
  });
  const intake = createIntake(given);
  const workflowStep = createStepListener({ ...given, steps: createRecords(failFast, STEPS) });
  const { namedPeople, findLeavers, tellLeavers } = createLeavers(live, given);
  const ofAccount = { owner, adapter, live, redis: failFast, budgetRedis: shared.failFast };
  const examined = { ...given, ...ofAccount, findLeavers };
  const examine = createExamination(examined);
  const batches = createBatches({ ...given, batchStore: stores.failFastBatchStore, operations });
  const among = amongOf(setup, common);
  const forFeatures = { ...given, ...among, changes, operations, batches, examine, namedPeople };
  const features = createFeatures({ ...forFeatures, redis: failFast });
  sumUp(setup, common, { access, features: () => features, homeShows: homeShows(hosting.about.offers) });
  const routes = createRouteTable(withKnownVerbs(config, adapter.name, features));
  const answer = createAnswering({ ...forFeatures, routes });
  return {
    setup,
    slack,
    hosting,
    owner,
    stores,
    scope,
    agents: createAgents({ ...forFeatures, routes, redis: failFast }),
    lines: createLines({ ...given, routes, commandPrefix }),
    listeners: createListeners({ ...given, routes, intake, answer, workflowStep, commandPrefix, apiUrl }),
    checkNamed: async () => {
      if (worker) logDoubts([], await createExamination(examined, { part: 'named' })(), log);
      if (worker) await tellLeavers().then(createWeekly(live, { ...forFeatures, redis: failFast }));
    },
    tellSettings: createTellSettings(given),
    speaker: createSpeaker({ ...forFeatures, redis: failFast }),
    watchdogs: worker ? createWatchdogs(config, { ...given, operations, wayOut, scope }) : [],
    startJobs: worker
      ? () =>
          startJobs({
            ...forFeatures,
            worker,
            scope,
            attempts: createAttemptLimit({ ...given, operations }),
            routes,
            answer,
          })
      : undefined,
    stop: () => intake.stop(),
    close: () => hosting.close(),
  };
}
