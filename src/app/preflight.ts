import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from './config/config.ts';
import { HostingError } from '../platform/hosting/hosting-error.ts';
import { asError } from '../platform/log/as-error.ts';
import { StartError } from '../platform/start-error.ts';
import type { HostingService } from '../platform/hosting/service.ts';
import type { Log } from '../platform/log/log.ts';
import { atMost } from '../platform/time/at-most.ts';
import type { RedisClock } from '../platform/redis/clock.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import {
  isRedisDown,
  judgeRedis,
  readRedisFacts,
  redisNo,
  type RedisFacts,
} from '../platform/redis/fitness.ts';
import { isRefusal, slackErrorOf } from '../platform/slack/errors.ts';
import { type Identity, ORG_WIDE_TOKEN } from '../platform/slack/identity.ts';

export interface PreflightDeps {
  readonly config: Config;
  readonly redis: RedisConnection;
  readonly clock: RedisClock;
  readonly identity: Identity;
  readonly hosting: HostingService;
  readonly log: Log;
  /** Aborts when the bot is to stop before it has started. */
  readonly stopping: AbortSignal;
}

/** A connection to Redis on which nothing at all happens for this long is said to be silent. */
const SILENT_AFTER_MS = 5_000;
const PAUSE_MS = 250;
/** A service that is slow just now is no reason not to start. */
const SERVICES_LIMIT_MS = 5_000;

/**
 * What must hold before any work is taken. Throws StartError for what won't pass by itself: a refused key, a Redis
 * that would lose or give away what people asked for. A Redis that is only down is waited for; a Slack or a service
 * that is only down is asked again when it is needed. Throws an AbortError when the bot is to stop meanwhile.
 */
export async function preflight(deps: PreflightDeps): Promise<void> {
  await checkRedis(deps);
  await Promise.all([checkSlack(deps), checkHosting(deps)]);
}

async function checkRedis(deps: PreflightDeps): Promise<void> {
  const { config, log } = deps;
  const facts = await waitForRedis(deps);
  const { refusals, warnings } = judgeRedis(facts, config.redisUrl, config.allowed);
  for (const warning of warnings) log.warn({ check: 'redis' }, warning);
  if (refusals.length > 0) throw new StartError(refusals.join('. '));
}

/** What Redis says about itself, as soon as it does. Throws StartError for what waiting does not mend. */
async function waitForRedis({ redis, clock, log, stopping }: PreflightDeps): Promise<RedisFacts> {
  for (;;) {
    try {
      await connected(redis, stopping);
      await clock.look();
      return await readRedisFacts(redis);
    } catch (error) {
      stopping.throwIfAborted();
      const cause = asError(error);
      if (!isRedisDown(cause)) throw new StartError(redisNo(cause));
      log.limited('waiting for Redis', new Error(redisNo(cause)));
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
  'SLACK_BOT_TOKEN is of an installation for a whole organisation, and Lamplighter works in one workspace: install the app in that workspace and use the bot token it gets there';

async function checkSlack({ identity, log }: PreflightDeps): Promise<void> {
  let refused: string | undefined;
  const asking = identity.workspace().catch((error: unknown) => {
    const fault = slackErrorOf(error);
    if (isRefusal(fault)) refused = fault.code;
    else
      log.warn(
        { check: 'slack', code: fault.code },
        'no answer of Slack yet; it is asked again when it is needed',
      );
  });
  await atMost(SERVICES_LIMIT_MS, asking);
  if (refused === ORG_WIDE_TOKEN) throw new StartError(ORG_WIDE);
  if (refused !== undefined) throw new StartError(`Slack refuses SLACK_BOT_TOKEN: ${refused}`);
}

async function checkHosting({ hosting, log }: PreflightDeps): Promise<void> {
  let refused = false;
  const asking = hosting.checkKey().catch((error: unknown) => {
    if (error instanceof HostingError && (error.fault === 'unauthorized' || error.fault === 'forbidden'))
      refused = true;
    else
      log.warn(
        { check: 'hosting', error },
        'the hosting service does not answer as it should; it is asked again when it is needed',
      );
  });
  await atMost(SERVICES_LIMIT_MS, asking);
  if (refused) throw new StartError('the hosting service refuses the key in HOSTING_API_TOKEN');
}
