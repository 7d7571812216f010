import { once } from 'node:events';
import type { Account } from '../core/accounts/account.ts';
import { scopeOf, scopedTo } from '../platform/redis/key.ts';
import type { Timings } from '../core/timings.ts';
import { createBillingFacts } from '../features/billing/examined.ts';
import {
  createExamine,
  type Examine,
  type Examined,
  type Leaver,
  type Part,
  type Finding,
  findingText,
} from '../features/doctor/index.ts';
import type { Schedules } from '../core/schedules/schedule-store.ts';
import type { StateOwner } from '../core/deployment/owner.ts';
import type { Adapter } from '../platform/hosting/adapter.ts';
import { createSpent } from '../platform/hosting/budget.ts';
import { createWayOut } from '../platform/http/way-out.ts';
import { DeliveryFault } from '../platform/courier.ts';
import { type MailAt, tryMail } from '../platform/mail/mail.ts';
import type { Log } from '../platform/log/log.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { createSwap } from '../core/records/commit.ts';
import { createRedisClock } from '../platform/redis/clock.ts';
import { connectFailFast, disconnect, type RedisConnection } from '../platform/redis/connection.ts';
import type { RefusedRequests } from '../platform/slack/refused-requests.ts';
import { fixedToken } from '../platform/slack/token-fetch.ts';
import { atMost } from '../platform/time/wait.ts';
import type { SettingsState } from '../core/watchdogs/messages.ts';
import type { ConfiguredAccount } from './config/accounts.ts';
import type { Config } from './config/config.ts';
import type { Doubt } from './config/doubts.ts';
import { noFaultPoints } from '../core/base.ts';
import { createAccountOwner, createHosting } from './hosting.ts';
import { findLastBeat } from './last-beat.ts';
import { namedIn } from './named.ts';
import { fixedSettings, type Settings } from './settings.ts';
import { createSlack } from './slack.ts';
import { readVersion } from './version.ts';
import type { Bot } from '../core/bot/bot.ts';

interface ExaminationDeps extends Pick<
  Bot,
  'clock' | 'redis' | 'timings' | 'log' | 'hosting' | 'wayOut' | 'examiner'
> {
  /** What counts now, and what changed in files that doesn't. */
  readonly live: () => ConfiguredAccount;
  readonly settings: Pick<Settings, 'state'>;
  readonly config: Config;
  readonly adapter: Adapter;
  /** What a key's budget is kept on, which all accounts share. */
  readonly budgetRedis: RedisConnection;
  readonly owner: Pick<StateOwner, 'look'>;
  /** What was refused of Slack's requests, where the bot runs. */
  readonly refused?: Pick<RefusedRequests, 'recent'>;
  /** Who has left and holds something still, where the bot runs. */
  readonly findLeavers?: () => Promise<readonly Leaver[]>;
  /** Where the bot runs. */
  readonly schedules?: Pick<Schedules, 'list'>;
}

/** What is to be known of the money where the service says nothing of it. */
const NO_MONEY = {
  places: [],
  alertsToUserId: undefined,
  hasAlertsTo: false,
  isOff: true,
  isNotOffered: true,
  isOfMonth: false,
  isToppedUp: false,
  checkedAt: 0,
  listedAt: undefined,
  failingSince: undefined,
  lostGroups: [],
};

/** What is known of the money, and where its alerts go. */
export function billingFactsOf({
  live,
  config,
  redis,
  hosting,
}: Pick<ExaminationDeps, 'live' | 'config' | 'redis' | 'hosting'>): ReturnType<typeof createBillingFacts> {
  const offered = hosting.about.offers.billing;
  if (offered === undefined) return async () => NO_MONEY;
  return createBillingFacts({
    redis,
    costGroups: () => live().config.policy?.costGroups ?? [],
    config: config.alerts,
    admins: () => live().config.admins,
    isOfMonth: offered === 'postpaid',
    isToppedUp: config.isToppedUp,
  });
}

/** How a bot is examined that does not run. */
interface FromOutside {
  readonly isRunning?: boolean;
  readonly redisFault?: () => Error | undefined;
  /** What alone is looked at; everything without it. */
  readonly part?: Part;
}

/** The examination of a bot that runs, or of one that is to. */
export function createExamination(
  { live, settings, config, adapter, redis, budgetRedis, clock, wayOut, ...deps }: ExaminationDeps,
  { isRunning = true, redisFault, part }: FromOutside = {},
): Examine {
  const { alerts, redis: redisAt, allowed } = config;
  return createExamine({
    ...deps,
    redis,
    redisAt,
    allowed,
    doubts: () => {
      const { ofBot, ofAccount } = live().config.doubts;
      const requests = (deps.refused?.recent() ?? []).map(doubtOfRequests);
      return { ofBot: [...doubtsOf(settings.state()), ...requests, ...ofBot], ofAccount };
    },
    setAt: () => setAtOf(live()),
    named: () => namedIn(live()),
    spent: createSpent(budgetRedis, config.hosting.token, adapter.limit, clock.now),
    billing: billingFactsOf({ live, config, redis, hosting: deps.hosting }),
    configuredChannels: alerts.channels,
    ...(config.heartbeatUrl === undefined ? {} : { findLastBeat: () => findLastBeat(budgetRedis) }),
    ...(config.outside.mail ? { tryMail: mailFaultOf({ ...config.outside.mail, wayOut }) } : {}),
    version: readVersion,
    upMs: () => (isRunning ? process.uptime() * 1_000 : undefined),
    ...(redisFault ? { redisFault } : {}),
    part,
    now: clock.now,
  });
}

/** Where whoever runs the bot has set up an account: in variables, or in the file of several. Pure. */
export function setAtOf({ account, config }: ConfiguredAccount): {
  readonly url: string | undefined;
  readonly key: string;
} {
  const hasUrl = config.hosting.url !== undefined;
  if (account === undefined) return { url: hasUrl ? 'HOSTING_API_URL' : undefined, key: 'HOSTING_API_TOKEN' };
  const of = (field: string): string => `${field} of ${account.name} in the file of HOSTING_ACCOUNTS`;
  return { url: hasUrl ? of('url') : undefined, key: of('key') };
}

/** What is said of files that have changed. Pure. */
function doubtsOf({ faults, restart }: SettingsState): readonly Doubt[] {
  return [
    ...faults.map((fault) => ({
      what: `${fault}. What was there before still counts.`,
      todo: 'Mend it: I read it again by myself.',
    })),
    ...restart.map((what) => ({
      what: `What changed in a file needs a restart before it counts: ${what}.`,
      todo: 'Start me again.',
    })),
  ];
}

function doubtOfRequests(did: string): Doubt {
  return {
    what: `In the last hour, this process refused requests that ${did}.`,
    todo: "If people's commands fail, mend that; else let only Slack reach /slack/.",
  };
}

/** Tries whether the mail server lets the bot in, without a mail: gives the code of why not. */
function mailFaultOf(at: MailAt): () => Promise<string | undefined> {
  return async () => {
    try {
      await tryMail({ ...at, stepWithinMs: TRIED_WITHIN_MS });
      return undefined;
    } catch (error) {
      if (error instanceof DeliveryFault) return error.code;
      throw error;
    }
  };
}

/** Less than an examination waits for one look. */
const TRIED_WITHIN_MS = 1_500;

/** How long a connection to Redis is waited for, and letting go of everything afterwards. */
const CONNECT_LIMIT_MS = 2_500;
const CLOSE_LIMIT_MS = 1_000;

/** An account that the bot is to run; `account`: undefined where it is the only one. */
interface Setup {
  readonly account: Account | undefined;
  readonly config: Config;
  readonly adapter: Adapter;
  readonly timings: Timings;
}

/**
 * Connects, examines once as the bot does, and lets go of everything: within about ten seconds. Of several accounts, what is
 * the whole bot's is looked at once, and the rest for each. Never throws.
 */
export async function examineOnce(
  accounts: readonly [Setup, ...Setup[]],
  log: Log,
): Promise<readonly Examined[]> {
  const [first] = accounts;
  const { config, timings } = first;
  const wayOut = createWayOut(config.proxies);
  let redisFault: Error | undefined;
  const connection = connectFailFast(config.redis, (error) => (redisFault = error));
  const redis = scopedTo(config.redisPrefix, connection);
  const clock = createRedisClock(redis, createSwap(redis));
  const { examiner, identity } = createSlack({
    config,
    token: fixedToken(config.slack.botToken),
    timings,
    faultPoints: noFaultPoints,
    wayOut,
    log,
  });
  let teamId: string | undefined;
  await Promise.all([
    atMost(CONNECT_LIMIT_MS, once(redis, 'ready').then(clock.look)),
    atMost(
      CONNECT_LIMIT_MS,
      identity.workspace().then(
        (workspace) => (teamId = workspace.teamId),
        () => undefined,
      ),
    ),
  ]);

  const settings = fixedSettings(accounts);
  const look = async (setup: Setup, part?: 'bot' | 'account'): Promise<Examined> => {
    const account = part === 'bot' ? undefined : setup.account?.name;
    const given = { ...setup, settings, live: () => setup, log, clock, examiner, wayOut, budgetRedis: redis };
    const calling = { redis, now: clock.now, metrics: createMetrics() };
    const hosting = createHosting({ ...given, ...calling });
    const scope = account === undefined ? '' : scopeOf(account);
    const own = scopedTo(`${config.redisPrefix}${scope}`, connection);
    const owner = createAccountOwner(setup, { redis: own }, () => teamId);
    const findings = await createExamination(
      { ...given, redis: own, hosting, owner },
      { isRunning: false, redisFault: () => (redis.status === 'ready' ? undefined : redisFault), part },
    )();
    await atMost(CLOSE_LIMIT_MS, hosting.close());
    return { account, findings };
  };
  const examined = await Promise.all(
    first.account ? [look(first, 'bot'), ...accounts.map((setup) => look(setup, 'account'))] : [look(first)],
  );
  clock.stop();
  await atMost(CLOSE_LIMIT_MS, disconnect(connection));
  return examined;
}

/** What of the configuration is hardly meant, each in a line. */
export function logDoubts(doubts: readonly Doubt[], findings: readonly Finding[], log: Log): void {
  for (const { what, todo } of doubts) log.warn({ check: 'configuration' }, `${what} ${todo}`);
  for (const finding of findings)
    if (finding.level !== 'ok') log.warn({ check: 'configuration' }, findingText(finding));
}
