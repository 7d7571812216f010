import type { Config } from './config.ts';
import { asError, HostingError } from './errors.ts';
import type { HostingService } from './hosting/service.ts';
import type { Log } from './log/log.ts';
import { atMost } from './queue/at-most.ts';
import type { RedisClock } from './redis/clock.ts';
import type { RedisConnection } from './redis/connection.ts';
import { judgeRedis, readRedisFacts, redisNo } from './redis/fitness.ts';
import { isRefusedToken, slackErrorOf } from './slack/errors.ts';
import type { Identity } from './slack/identity.ts';

/** Why the bot does not start, in one sentence for whoever runs it. */
export class StartError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'StartError';
  }
}

export interface PreflightDeps {
  readonly config: Config;
  readonly redis: RedisConnection;
  readonly clock: RedisClock;
  /** What the connection last complained about. */
  readonly lastRedisError: () => Error | undefined;
  readonly identity: Identity;
  readonly hosting: HostingService;
  readonly log: Log;
}

/** How long Redis may take to answer at the start. */
const REDIS_LIMIT_MS = 5_000;
/** A service that is slow just now is no reason not to start. */
const SERVICES_LIMIT_MS = 5_000;

/**
 * What must hold before any work is taken. Throws StartError for what won't pass by itself: a refused key, a Redis
 * that would lose or give away what people asked for. A service that is only down is said and waited for.
 */
export async function preflight(deps: PreflightDeps): Promise<void> {
  await checkRedis(deps);
  await Promise.all([checkSlack(deps), checkHosting(deps)]);
}

async function checkRedis({ config, redis, clock, lastRedisError, log }: PreflightDeps): Promise<void> {
  try {
    await clock.ready(REDIS_LIMIT_MS);
    const facts = await readRedisFacts(redis);
    const { refusals, warnings } = judgeRedis(facts, config.redisUrl, config.allowed);
    for (const warning of warnings) log.warn({ check: 'redis' }, warning);
    if (refusals.length > 0) throw new StartError(refusals.join('. '));
  } catch (error) {
    if (error instanceof StartError) throw error;
    const cause = asError(error);
    throw new StartError(redisNo(clock.isSet() ? cause : (lastRedisError() ?? cause)));
  }
}

async function checkSlack({ identity, log }: PreflightDeps): Promise<void> {
  let refused: string | undefined;
  const asking = identity.teamId().catch((error: unknown) => {
    const { code } = slackErrorOf(error);
    if (isRefusedToken(code)) refused = code;
    else log.warn({ check: 'slack', code }, 'no answer of Slack yet; it is asked again when it is needed');
  });
  await atMost(SERVICES_LIMIT_MS, asking);
  if (refused !== undefined) throw new StartError(`Slack refuses SLACK_BOT_TOKEN: ${refused}`);
}

async function checkHosting({ hosting, log }: PreflightDeps): Promise<void> {
  let refused = false;
  const asking = hosting.listInstances().catch((error: unknown) => {
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
