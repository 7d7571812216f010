import { Redis } from 'ioredis';
import { createApp } from '../src/app/app.ts';
import type { MoreChanges } from '../src/app/features.ts';
import { type Config, loadConfig } from '../src/app/config/config.ts';
import { type HostingAdapter, instanceHosting } from '../src/platform/hosting/adapters/instance-hosting.ts';
import { createLog } from '../src/platform/log/log.ts';
import { operationKeys } from '../src/core/operations/keys.ts';
import { type BoardView, nextBoardSteps } from '../src/core/boards/board.ts';
import { createBoardStore } from '../src/core/boards/board-store.ts';
import { batchKeys } from '../src/core/batches/keys.ts';
import { boardKeys } from '../src/core/boards/keys.ts';
import { requestKeys } from '../src/core/requests/keys.ts';
import { RISKS } from '../src/platform/redis/fitness.ts';
import type { FaultPoints } from '../src/app/fault-points.ts';
import type { LamplighterApp } from '../src/app/life.ts';
import { type Timings, TIMINGS } from '../src/core/timings.ts';
import { createHostingSandbox, type HostingSandbox, type HostingSandboxOptions } from './hosting/sandbox.ts';
import { PEOPLE } from './people.ts';
import { peopleWords } from './people-words.ts';
import { createPassing, type Passing } from './passing.ts';
import { type PrivateRedis, startRedis } from './redis.ts';
import { createSlackDouble, type SlackDouble, type SlackDoubleOptions } from './slack/index.ts';

export interface SandboxOptions {
  readonly hosting?: HostingSandboxOptions;
  readonly slack?: SlackDoubleOptions;
  readonly timings?: Partial<Timings>;
  /** Over the hosting service's own table, for example its rate limit. */
  readonly adapter?: Partial<HostingAdapter>;
  /** Whose API key the bot has, by name; default the world's first customer. */
  readonly customer?: string | undefined;
  /** Over the sandbox's own environment, by the names of the README's table. */
  readonly env?: Readonly<Record<string, string>>;
  /** A Redis to use instead of a private one. */
  readonly redisUrl?: string | undefined;
  /** Verbs that the bot has beside its own. */
  readonly more?: MoreChanges;
  /** Whether the bot starts with the rest; default yes. */
  readonly bot?: boolean;
}

/** A Slack, a hosting company, a Redis and the real bot between them, all on this machine. */
export interface Sandbox extends Omit<Passing, 'close'> {
  readonly slack: SlackDouble;
  readonly hosting: HostingSandbox;
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
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 20;

/** Ada is the admin, and everybody with a full account may run instances. */
const DEFAULTS = {
  HOST: '127.0.0.1',
  PORT: '0',
  LAMPLIGHTER_ADMINS: PEOPLE.find((person) => person.handle === 'admin')?.id ?? '',
  LAMPLIGHTER_EVERYONE: 'operator',
};

/** Nobody in the world is called that. */
export class NoCustomerError extends Error {}

export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const hosting = createHostingSandbox(options.hosting);
  const apiKey = keyOf(hosting, options.customer);
  const redis = options.redisUrl === undefined ? await startRedis() : undefined;
  const redisUrl = options.redisUrl ?? redis?.url ?? '';
  const slack = createSlackDouble(options.slack);
  const [{ apiUrl }, { url }] = await Promise.all([slack.start(), hosting.start()]);
  const reader = new Redis(redisUrl, { maxRetriesPerRequest: null });
  reader.on('error', () => undefined);

  const env = {
    ...DEFAULTS,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: apiUrl,
    HOSTING_API_URL: url,
    HOSTING_API_TOKEN: apiKey,
    REDIS_URL: redisUrl,
    // Whoever brings a Redis of their own to a sandbox has nothing there to lose.
    ...(redis ? {} : { LAMPLIGHTER_ALLOW: RISKS.join(',') }),
    ...options.env,
  };
  const passing = createPassing(reader, hosting);
  const logs: string[] = [];
  const bots: LamplighterApp[] = [];

  const startBot: Sandbox['startBot'] = async (over = {}, faultPoints) => {
    const config: Config = loadConfig({ ...env, ...over });
    const bot = createApp(
      config,
      { ...instanceHosting, ...options.adapter },
      { ...TIMINGS, ...config.timings, ...options.timings },
      createLog(config.logLevel, config.secrets, (line) => logs.push(line)),
      faultPoints,
      options.more,
    );
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
    await Promise.all([slack.stop(), hosting.stop()]);
    await redis?.stop();
  };

  if (options.bot !== false)
    await startBot().catch(async (error: unknown) => {
      await close();
      throw error;
    });
  return {
    slack,
    hosting,
    redis,
    redisUrl,
    env,
    logs,
    startBot,
    stopBots,
    look: passing.look,
    pass: passing.pass,
    told: passing.told,
    people: () => peopleWords(reader, env, (handle) => slack.groupsOf(handle)),
    settled: (limitMs = 30_000) => untilSettled(reader, slack, limitMs),
    close,
  };
}

/** Resolves when no request and no operation is open. */
async function untilSettled(reader: Redis, slack: SlackDouble, limitMs: number): Promise<void> {
  const until = performance.now() + limitMs;
  while ((await countOpen(reader)) > 0) {
    if (performance.now() > until) throw new Error(`not settled after ${limitMs} ms\n${slack.dump()}`);
    await new Promise((done) => {
      setTimeout(done, LOOK_EVERY_MS);
    });
  }
}

/** How many requests and operations are open, and boards that don't show everything yet. */
async function countOpen(redis: Redis): Promise<number> {
  const open = await Promise.all(
    [requestKeys.open, operationKeys.open, batchKeys.open].map((index) => redis.zcard(index)),
  );
  const count = open.reduce((one, other) => one + other, 0);
  if (count > 0) return count;
  const boards = await redis.zrange(boardKeys.open, '0', '-1');
  const store = createBoardStore(redis, TIMINGS, { now: Date.now });
  const views = await Promise.all(boards.map((id) => store.read(id)));
  const isQuiet = (view: BoardView | undefined): boolean =>
    !view || nextBoardSteps(view, TIMINGS).every(({ step }) => step.do === 'close');
  return views.filter((view) => !isQuiet(view)).length;
}

/** The key of a customer by name, or of the first. Throws a NoCustomerError that names those there are. */
function keyOf({ customers }: HostingSandbox, name: string | undefined): string {
  const customer = name === undefined ? customers[0] : customers.find((one) => one.name === name);
  if (customer) return customer.apiKey;
  const names = customers.map((one) => one.name).join(', ');
  throw new NoCustomerError(`There is no customer ${JSON.stringify(name ?? '')}. There are ${names}.`);
}
