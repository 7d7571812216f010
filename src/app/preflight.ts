import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from './config/config.ts';
import { HostingError, isKeyFault, keyFaultWords } from '../platform/hosting/hosting-error.ts';
import { connectionFaultIn } from '../platform/http/connection-fault.ts';
import { asError, type Log } from '../platform/log/log.ts';
import { StartError } from '../platform/start-error.ts';
import { atMost } from '../platform/time/wait.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import { isRedisDown, redisNo } from '../platform/redis/faults.ts';
import { judgeRedis, readRedisFacts, type RedisFacts } from '../platform/redis/fitness.ts';
import { isRefusal, slackErrorOf } from '../platform/slack/errors.ts';
import { ORG_WIDE_TOKEN } from '../platform/slack/identity.ts';
import type { Bot } from '../core/bot/bot.ts';
import type { AccountBot } from './account-bot.ts';
import type { Slack } from './slack.ts';

export interface PreflightDeps extends Pick<Bot, 'clock' | 'redis' | 'log'> {
  readonly config: Config;
  /** Aborts when the bot is to stop before it has started. */
  readonly stopping: AbortSignal;
}

/** A connection to Redis on which nothing at all happens for this long is said to be silent. */
const SILENT_AFTER_MS = 5_000;
const PAUSE_MS = 250;
/** A service that is slow just now is no reason not to start. */
const SERVICES_LIMIT_MS = 5_000;

/**
 * What must hold of Redis before any work is taken: it would not lose or give away what people ask for. One that is only down is
 * waited for. Throws StartError for what won't pass by itself, and an AbortError when the bot is to stop meanwhile.
 */
export async function checkRedis(deps: PreflightDeps): Promise<void> {
  const { config, log } = deps;
  const facts = await waitForRedis(deps);
  const { refusals, warnings, notes } = judgeRedis(facts, config.redis, config.allowed);
  for (const warning of warnings) log.warn({ check: 'redis' }, warning);
  for (const note of notes) log.info({ check: 'redis' }, note);
  if (refusals.length > 0) throw new StartError(refusals.join('. '));
}

/** What Redis says about itself, as soon as it does. Throws StartError for what waiting does not mend. */
async function waitForRedis({ config, redis, clock, log, stopping }: PreflightDeps): Promise<RedisFacts> {
  for (;;) {
    try {
      await connected(redis, stopping);
      await clock.look();
      return await readRedisFacts(redis, config.redis);
    } catch (error) {
      stopping.throwIfAborted();
      const cause = asError(error);
      if (!isRedisDown(cause)) throw new StartError(redisNo(cause, config.redis.url));
      log.limited('waiting for Redis', new Error(redisNo(cause, config.redis.url)));
      await wait(PAUSE_MS, undefined, { signal: stopping });
    }
  }
}

/** Resolves when the connection is ready; rejects with what it complains about. */
async function connected(redis: RedisConnection, stopping: AbortSignal): Promise<void> {
  if (redis.status === 'ready') return;
  const silent = AbortSignal.timeout(SILENT_AFTER_MS);
  try {
    await once(redis, 'ready', { signal: AbortSignal.any([stopping, silent]) });
  } catch (error) {
    throw silent.aborted ? new Error('nothing answers') : error;
  }
}

const ORG_WIDE =
  'SLACK_BOT_TOKEN is of an installation for a whole organization, and Lamplighter works in one workspace: install the app in that workspace and use the bot token it gets there, or install it over SLACK_TEAMS, which takes an organization';

/**
 * Whether Slack and the hosting services take the keys that are configured. Throws StartError where one is refused; one that
 * is only down is asked again when it is needed. `slack`: undefined where the tokens are none of the configuration.
 */
export async function checkServices(
  slack: Slack | undefined,
  accounts: readonly AccountBot[],
  log: Log,
): Promise<void> {
  await Promise.all([slack && checkSlack(slack, log), ...accounts.map((one) => checkHosting(one, log))]);
}

/** Why a service can't be reached and what to do, where that is known. */
function faultWords(service: string, error: unknown): string | undefined {
  const fault = connectionFaultIn(error);
  return fault && `can't reach ${service}: ${fault.why}. ${fault.todo} It is asked again when it is needed`;
}

async function checkSlack({ identity }: Slack, log: Log): Promise<void> {
  let refused: string | undefined;
  const asking = identity.workspace().catch((error: unknown) => {
    const fault = slackErrorOf(error);
    if (isRefusal(fault)) refused = fault.code;
    else {
      const words = faultWords('Slack', error);
      log.warn(
        { check: 'slack', code: fault.code },
        words ?? 'no answer of Slack yet; it is asked again when it is needed',
      );
    }
  });
  await atMost(SERVICES_LIMIT_MS, asking);
  if (refused === ORG_WIDE_TOKEN) throw new StartError(ORG_WIDE);
  if (refused !== undefined) throw new StartError(`Slack refuses SLACK_BOT_TOKEN: ${refused}`);
}

async function checkHosting({ setup, hosting }: AccountBot, log: Log): Promise<void> {
  const name = setup.account?.name;
  const which = name === undefined ? 'in HOSTING_API_TOKEN' : `of the account ${name}`;
  let refused: string | undefined;
  const asking = hosting.checkKey().catch((error: unknown) => {
    if (error instanceof HostingError && isKeyFault(error.fault)) {
      const said = error.said === undefined ? '' : `, and says: "${error.said}"`;
      const words = keyFaultWords(error.fault, 'listing instances', `the key ${which}`);
      refused = `the hosting service ${words} (${error.status ?? error.fault})${said}`;
    } else
      log.warn(
        { check: 'hosting', account: name, error },
        faultWords('the hosting service', error) ??
          'the hosting service does not answer as it should; it is asked again when it is needed',
      );
  });
  await atMost(SERVICES_LIMIT_MS, asking);
  if (refused !== undefined) throw new StartError(refused);
}
