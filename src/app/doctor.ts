import { once } from 'node:events';
import type { Timings } from '../core/timings.ts';
import { createAlarmStore } from '../features/billing/alerts/alarm-store.ts';
import { createPlanStore } from '../features/billing/digest/plan.ts';
import { createBillingFacts } from '../features/billing/examined.ts';
import { createExamine, type Examine, type Finding } from '../features/doctor/index.ts';
import type { HostingAdapter } from '../platform/hosting/adapters/instance-hosting.ts';
import { createSpent } from '../platform/hosting/budget.ts';
import type { HostingService } from '../platform/hosting/service.ts';
import type { Log } from '../platform/log/log.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { createRedisClock, type RedisClock } from '../platform/redis/clock.ts';
import { connectFailFast, disconnect, type RedisConnection } from '../platform/redis/connection.ts';
import type { Examiner } from '../platform/slack/examiner.ts';
import { atMost } from '../platform/time/at-most.ts';
import type { Config } from './config/config.ts';
import { noFaultPoints } from './fault-points.ts';
import { createHosting } from './hosting.ts';
import { createSlack } from './slack.ts';
import { readVersion } from './version.ts';

interface ExaminationDeps {
  readonly config: Config;
  readonly adapter: HostingAdapter;
  readonly redis: RedisConnection;
  readonly clock: Pick<RedisClock, 'now'>;
  readonly examiner: Examiner;
  readonly hosting: HostingService;
  readonly timings: Timings;
  readonly log: Log;
}

/** The examination of a bot that runs, or of one that is to. */
export function createExamination(
  { config, adapter, redis, clock, ...deps }: ExaminationDeps,
  { isRunning = true, redisFault }: { isRunning?: boolean; redisFault?: () => Error | undefined } = {},
): Examine {
  const { alerts, admins, redisUrl, allowed } = config;
  return createExamine({
    ...deps,
    redis,
    redisUrl,
    allowed,
    spent: createSpent(redis, config.hosting.token, adapter.limit),
    billing: createBillingFacts({
      store: createAlarmStore(redis),
      plans: createPlanStore(redis),
      config: alerts,
      admins,
    }),
    configuredChannels: alerts.channels,
    version: readVersion,
    upMs: () => (isRunning ? process.uptime() * 1_000 : undefined),
    ...(redisFault ? { redisFault } : {}),
    now: clock.now,
  });
}

/** How long a connection to Redis is waited for, and letting go of everything afterwards. */
const CONNECT_LIMIT_MS = 2_500;
const CLOSE_LIMIT_MS = 1_000;

/** Connects, examines once as the bot does, and lets go of everything: within about ten seconds. Never throws. */
export async function examineOnce(
  config: Config,
  adapter: HostingAdapter,
  timings: Timings,
  log: Log,
): Promise<readonly Finding[]> {
  let redisFault: Error | undefined;
  const redis = connectFailFast(config.redisUrl, (error) => (redisFault = error));
  const clock = createRedisClock(redis);
  const { examiner } = createSlack({ config, timings, faultPoints: noFaultPoints, log });
  const hosting = createHosting({
    config,
    adapter,
    redis,
    now: clock.now,
    timings,
    metrics: createMetrics(),
  });
  await atMost(CONNECT_LIMIT_MS, once(redis, 'ready').then(clock.look));
  const examine = createExamination(
    { config, adapter, redis, clock, examiner, hosting, timings, log },
    { isRunning: false, redisFault: () => (redis.status === 'ready' ? undefined : redisFault) },
  );
  const findings = await examine();
  clock.stop();
  await atMost(CLOSE_LIMIT_MS, Promise.all([hosting.close(), disconnect(redis)]));
  return findings;
}
