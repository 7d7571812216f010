import type { Redis } from 'ioredis';
import { createApp } from '../src/app/app.ts';
import { loadSetups, withAdapters } from '../src/app/load-adapter.ts';
import type { MoreChanges } from '../src/app/features-deps.ts';
import { filesNow, loadAccounts } from '../src/app/config/accounts.ts';
import { createSettings, type Settings } from '../src/app/settings.ts';
import type { Adapter } from '../src/platform/hosting/adapter.ts';
import { deploymentKeys } from '../src/core/deployment/owner.ts';
import { createLog } from '../src/platform/log/log.ts';
import { connectBlocking, type RedisConnection } from '../src/platform/redis/connection.ts';
import { scopeOf, scopedTo } from '../src/platform/redis/key.ts';
import { RISKS } from '../src/platform/redis/fitness.ts';
import type { FaultPoints } from '../src/core/base.ts';
import type { LamplighterApp } from '../src/app/life.ts';
import type { Timings } from '../src/core/timings.ts';
import type { Cloud, CloudKind, CloudOptions } from './clouds/cloud.ts';
import { openCloud } from './clouds/demo-fleet.ts';
import { createHostingSandbox, type HostingSandbox, type HostingSandboxOptions } from './hosting/sandbox.ts';
import { PEOPLE, TEAM } from './people.ts';
import { peopleWords } from './people-words.ts';
import { createPassing, type Passing } from './passing.ts';
import { type PrivateRedis, startRedis } from './redis.ts';
import { bothServices } from './service/both-services.ts';
import { cloudService } from './service/cloud-service.ts';
import { companyService, NoCustomerError } from './service/company-service.ts';
import type { Service } from './service/service.ts';
import { countOpen, countUntried, untilNone } from './settled.ts';
import { ACCOUNTS, openSecondAccount, type SecondAccount, type TwoAccountsOptions } from './two-accounts.ts';
import { createSlackDouble, type SlackDouble, type SlackDoubleOptions } from './slack/index.ts';

export interface SandboxOptions {
  readonly hosting?: HostingSandboxOptions;
  /** The cloud that the bot runs in place of the hosting company, with its demo fleet unless `cloud` says otherwise. */
  readonly service?: CloudKind;
  readonly cloud?: Omit<CloudOptions, 'kind'>;
  readonly slack?: SlackDoubleOptions;
  readonly timings?: Partial<Timings>;
  /** Over what the adapter of the hosting service says, for example its rate limit. */
  readonly adapter?: Partial<Adapter>;
  /** Whose API key the bot has, by name; default the world's first customer. */
  readonly customer?: string;
  /** Over the sandbox's own environment, by the names in docs/configuration.md. */
  readonly env?: Readonly<Record<string, string>>;
  /** A Redis to use instead of a private one. */
  readonly redisUrl?: string;
  /** Starts the private one; by default a Redis alone. */
  readonly startRedis?: () => Promise<PrivateRedis>;
  /** Verbs that the bot has beside its own. */
  readonly more?: MoreChanges;
  /** The bot runs two accounts at two hosting companies; without it, the only one. */
  readonly accounts?: TwoAccountsOptions;
  /** Wraps parts of each bot that is started with no others. */
  readonly faultPoints?: FaultPoints;
  /** Whether the bot starts with the rest; default yes. */
  readonly bot?: boolean;
}

/** A Slack, a hosting service, a Redis and the real bot between them, all on this machine. */
export interface Sandbox extends Omit<Passing, 'close'> {
  readonly slack: SlackDouble;
  /** The hosting service that the bot runs, whichever it is. */
  readonly service: Service;
  /** The hosting company. Reading it throws where the bot runs a cloud. */
  readonly hosting: HostingSandbox;
  /** The cloud; undefined where the bot runs the hosting company. */
  readonly cloud: Cloud | undefined;
  /** The second account, where the bot runs two. */
  readonly second: SecondAccount | undefined;
  /** The private Redis; undefined where one was given. */
  readonly redis: PrivateRedis | undefined;
  readonly redisUrl: string;
  /** The environment of a bot here, for one that runs as a process of its own. */
  readonly env: Readonly<Record<string, string>>;
  /** Every line that bots in this process have logged. */
  readonly logs: readonly string[];
  /** Everybody with their id and the role that they have now, a line each. */
  people(): Promise<string>;
  /** Starts one more bot in this process; Slack's requests go to the last one started. */
  startBot(env?: Readonly<Record<string, string>>, faultPoints?: FaultPoints): Promise<LamplighterApp>;
  /** Stops every bot in this process, politely. */
  stopBots(): Promise<void>;
  /** Resolves when no request and no operation is open. */
  settled(limitMs?: number): Promise<void>;
  /** Resolves when no message that stands by itself is untried, whatever else is open. */
  said(limitMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** Longer than the bot waits for anybody in most tests, on a busy machine as well. */
const SETTLED_WITHIN_MS = 90_000;

/** Ada is the admin, and everybody with a full account may run instances. */
const DEFAULTS = {
  HOST: '127.0.0.1',
  PORT: '0',
  LAMPLIGHTER_ADMINS: PEOPLE.find((person) => person.handle === 'admin')?.id ?? '',
  LAMPLIGHTER_EVERYONE: 'operator',
};

/** Opens a sandbox. Rejects with a NoCustomerError for a customer that doesn't exist, or that a cloud is asked for. */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { service, hosting, cloud } = openService(options);
  const redis = options.redisUrl === undefined ? await (options.startRedis ?? startRedis)() : undefined;
  const redisUrl = options.redisUrl ?? redis?.url ?? '';
  const slack = createSlackDouble(options.slack);
  const [{ apiUrl }, { url }] = await Promise.all([slack.start(), service.start()]);
  const reader = connectBlocking({ url: redisUrl }, () => undefined);
  const { readers, addAccount } = readersOver(reader);

  if (options.redisUrl !== undefined) await forgetDemo(reader);
  const second = options.accounts && (await openSecondAccount(options, { url, token: service.token }));
  const env = environmentOf({ slack, apiUrl, service, url, redisUrl, accountsPath: second?.path, options });
  const logs: string[] = [];
  const bots: LamplighterApp[] = [];
  const passing = passingOf(reader, addAccount, service, second);

  const startBot: Sandbox['startBot'] = async (over = {}, faultPoints) => {
    const variables = { ...env, ...over };
    const configured = loadAccounts(variables);
    const [{ config }] = configured;
    for (const { account } of configured) addAccount(account?.name);
    const settings = settingsOf(configured, variables);
    const bot = createApp({
      settings,
      accounts: await withAdapters(
        configured,
        (adapter) => ({ ...adapter, ...options.adapter }),
        options.timings,
      ),
      log: createLog(config.logLevel, config.secrets, { write: (line) => logs.push(line) }),
      faultPoints: faultPoints ?? options.faultPoints,
      more: options.more,
    });
    bots.push(bot);
    const { port } = await bot.start();
    if (config.role !== 'worker') slack.connect({ requestUrl: `http://127.0.0.1:${port}/slack/events` });
    return bot;
  };

  const stopBots = async (): Promise<void> => {
    await Promise.all(bots.splice(0).map((bot) => bot.stop()));
  };

  const close = async (): Promise<void> => {
    await stopBots();
    await passing.close();
    reader.disconnect();
    await Promise.all([slack.stop(), service.stop(), second?.close()]);
    await redis?.stop();
  };

  if (options.bot !== false)
    await startBot().catch(async (error: unknown) => {
      await close();
      throw error;
    });
  return {
    slack,
    service: seenOf(service, second),
    get hosting() {
      return companyOf(hosting, service);
    },
    cloud,
    second,
    redis,
    redisUrl,
    env,
    logs,
    startBot,
    stopBots,
    ...passing,
    people: () => peopleWords(loadAccounts(env), addAccount, (handle) => slack.groupsOf(handle)),
    settled: (limitMs = SETTLED_WITHIN_MS) => untilNone(countOpen, readers, slack, limitMs),
    said: (limitMs = SETTLED_WITHIN_MS) => untilNone(countUntried, readers, slack, limitMs),
    close,
  };
}

/** What a bot with these variables is configured with. */
function settingsOf(
  accounts: ReturnType<typeof loadAccounts>,
  env: Readonly<Record<string, string>>,
): Settings {
  return createSettings({ accounts, files: () => filesNow(env), load: () => loadSetups(env) });
}

/** A new demo takes what an earlier one left in somebody's Redis, and nothing of anybody else's. */
async function forgetDemo(redis: RedisConnection): Promise<void> {
  const owners = ['', ...ACCOUNTS.map(scopeOf)].map((scope) => `${scope}${deploymentKeys.owner}`);
  const marks = await redis.mget(owners);
  const ours = owners.filter((_, index) => marks[index]?.includes(`"workspace":"${TEAM.id}"`));
  if (ours.length > 0) await redis.del(ours);
}

/** The environment of a bot here, by the names in docs/configuration.md. */
function environmentOf({
  slack,
  apiUrl,
  service,
  url,
  redisUrl,
  accountsPath,
  options: { redisUrl: given, env: over },
}: {
  readonly slack: SlackDouble;
  readonly apiUrl: string;
  readonly service: Service;
  readonly url: string;
  readonly redisUrl: string;
  readonly accountsPath: string | undefined;
  readonly options: Pick<SandboxOptions, 'redisUrl' | 'env'>;
}): Readonly<Record<string, string>> {
  return {
    ...DEFAULTS,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: apiUrl,
    HOSTING_API_URL: url,
    HOSTING_API_TOKEN: service.token,
    HOSTING_SERVICE: service.kind,
    ...(accountsPath === undefined ? {} : { HOSTING_ACCOUNTS: accountsPath }),
    REDIS_URL: redisUrl,
    // A person who brings a Redis of their own to a sandbox has nothing there to lose.
    ...(given === undefined ? {} : { LAMPLIGHTER_ALLOW: RISKS.join(',') }),
    ...over,
  };
}

function companyOf(hosting: HostingSandbox | undefined, { name }: Service): HostingSandbox {
  if (!hosting) throw new Error(`sandbox: the bot runs ${name}, and no hosting company`);
  return hosting;
}

const [ACME, LABS] = ACCOUNTS;

/** The bot's service as a person sees it behind the bot's back, with the second account's. */
function seenOf(service: Service, second: SecondAccount | undefined): Service {
  if (!second) return service;
  return bothServices({ name: ACME, service }, { name: LABS, service: second.service });
}

/** How days pass for each account. `addAccount`: gives what reads what an account keeps. */
function passingOf(
  reader: RedisConnection,
  addAccount: (name: string) => RedisConnection,
  service: Service,
  second: SecondAccount | undefined,
): Passing {
  if (!second) return createPassing(reader, [{ redis: reader, scope: '', service }]);
  const of = (name: string, own: Service) => ({
    redis: addAccount(name),
    scope: name === undefined ? '' : scopeOf(name),
    service: own,
  });
  return createPassing(reader, [of(ACME, service), of(LABS, second.service)]);
}

/** What reads what each account of several keeps, as its part of the bot does. */
function readersOver(redis: Redis): {
  readonly readers: ReadonlyMap<string, RedisConnection>;
  readonly addAccount: (name?: string) => RedisConnection;
} {
  const readers = new Map<string, RedisConnection>([['', redis]]);
  const addAccount = (name?: string): RedisConnection => {
    const scope = name === undefined ? '' : scopeOf(name);
    const reader = readers.get(scope) ?? scopedTo(scope, redis);
    readers.set(scope, reader);
    return reader;
  };
  return { readers, addAccount };
}

/** What the bot is to run. Throws a NoCustomerError. */
function openService({ service: kind, cloud: options, hosting: world, customer }: SandboxOptions): {
  readonly service: Service;
  readonly hosting?: HostingSandbox;
  readonly cloud?: Cloud;
} {
  if (kind === undefined) {
    const hosting = createHostingSandbox(world);
    return { service: companyService(hosting, customer), hosting };
  }
  const cloud = openCloud(kind, options);
  const service = cloudService(cloud);
  if (customer !== undefined) {
    throw new NoCustomerError(`${service.name} has no customers to choose from: leave --customer out.`);
  }
  return { service, cloud };
}
