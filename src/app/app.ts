import { createRateLimit } from '../core/intake/rate-limit.ts';
import { route } from '../core/intake/router.ts';
import { createSweeps } from '../core/sweep.ts';
import { createRedisMarks } from '../core/watchdogs/redis-loss.ts';
import { createEventLoopWatchdog } from '../core/watchdogs/vital-signs.ts';
import { createWayOut } from '../platform/http/way-out.ts';
import { createHttpServer, type HttpServer, statusRoutes } from '../platform/http/server.ts';
import type { Log } from '../platform/log/log.ts';
import { createMetrics, type Metrics } from '../platform/metrics/metrics.ts';
import { createQueue, type SharedQueue, type UnderWay } from '../platform/queue/queue.ts';
import { createWorker, type JobWorker } from '../platform/queue/worker.ts';
import { createTraces, noTraces } from '../platform/traces/traces.ts';
import { createInFlight } from '../platform/slack/in-flight.ts';
import { createRefusedRequests } from '../platform/slack/refused-requests.ts';
import { type FaultPoints, noFaultPoints } from '../core/base.ts';
import type { MoreChanges } from './features-deps.ts';
import { createOneWorkspace, type Fleet } from './fleet.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createReadTogether } from '../platform/redis/connection.ts';
import { createLife, type LamplighterApp } from './life.ts';
import { mcpRoutes } from './mcp.ts';
import { createReadiness, type Progress, type Readiness } from './readiness.ts';
import { readingsOf } from './readings.ts';
import { createReceiver, type SlackReceiver } from './receiver.ts';
import type { Config } from './config/config.ts';
import { createSharedRedis, type SharedRedis } from './redis.ts';
import { fixedSettings, type Settings } from './settings.ts';
import { readVersion } from './version.ts';
import type { AccountSetup } from './account-bot.ts';
import type { Setups } from './workspace-bot.ts';
import { createWorkspaces } from './workspaces.ts';

export interface AppOptions {
  /** The accounts that the bot runs, each with its configuration: what is about the process stands in the first. */
  readonly accounts: Setups;
  /** What becomes of their files while the bot runs; without it, nothing does. */
  readonly settings?: Settings;
  readonly log: Log;
  readonly faultPoints?: FaultPoints;
  readonly more?: MoreChanges;
  /** Called where the state in Redis has become another deployment's: this process is to end. */
  readonly lost?: (why: string) => void;
}

/** The composition root: builds each part once and hands it on. Nothing outside this folder builds an adapter. */
export function createApp({
  accounts,
  settings = fixedSettings(accounts),
  log,
  faultPoints = noFaultPoints,
  more,
  lost,
}: AppOptions): LamplighterApp {
  const [{ config, timings }] = accounts;
  const isWeb = config.role !== 'worker';
  const { version } = readVersion();
  const metrics = createMetrics(version);
  const at = { ...config.redis, onShort: metrics.redisShort };
  const shared = createSharedRedis(at, config.redisPrefix, log, timings);
  const wayOut = createWayOut(config.proxies);
  const traces = config.traces
    ? createTraces({ ...config.traces, version: version ?? 'unknown', wayOut, log })
    : noTraces;
  const { jobQueue, worker } = createJobQueue({ config, timings, shared, log });
  const inFlight = createInFlight(log);
  const rateLimit = createRateLimit(timings.asksPerMinute);
  const refused = createRefusedRequests(log);
  const sweeps = createSweeps({ redis: shared.blocking, clock: shared.clock, timings, log });
  const together = {
    readTogether: createReadTogether(shared.failFast),
    marks: createRedisMarks(shared.failFast),
  };
  const built = {
    ...together,
    settings,
    shared,
    jobQueue,
    worker,
    sweeps,
    metrics,
    traces,
    inFlight,
    rateLimit,
    refused,
    wayOut,
  };
  const common = { ...built, timings, faultPoints, more, log };
  const { install } = config.slack;
  const fleet: Fleet = install
    ? createWorkspaces(accounts, common, install)
    : createOneWorkspace(accounts, common);
  const { now } = shared.clock;
  const receiver = createReceiver({ ...built, config, isWeb, fleet, now, log });
  route(receiver.bolt, fleet.listeners);
  fleet.listen(receiver.bolt);

  const progress: Progress = { isStarted: false };
  const eventLoop = createEventLoopWatchdog(timings, metrics, log);
  const readiness = createReadiness({ worker, fleet, shared, receiver, progress, log });
  // Whoever doesn't work behind the queue can't say that the work is done.
  const url = worker && config.heartbeatUrl;
  const beat = createHeartbeat({ ...built, url, fleet, readiness, timings, log });
  const given = { ...built, config, fleet, receiver, progress, readiness, beat, isWeb, timings, log };
  return createLife({ ...given, server: createServer(given), eventLoop, lost: lost ?? (() => undefined) });
}

/** The one queue of the process, and what works behind it, where this process does. */
function createJobQueue({
  config,
  timings,
  shared: { bare, prefix },
  log,
}: Pick<AccountSetup, 'config' | 'timings'> & { readonly shared: SharedRedis; readonly log: Log }): {
  readonly jobQueue: SharedQueue;
  readonly worker: JobWorker | undefined;
} {
  const underWay: UnderWay = new Map();
  const ofWorker = { connection: bare.blocking, prefix };
  return {
    jobQueue: createQueue({ connection: bare.failFast, prefix }, underWay),
    worker: config.role === 'web' ? undefined : createWorker(ofWorker, timings, log, underWay),
  };
}

/** What this process answers over HTTP: its status, and Slack where that comes over HTTP. */
function createServer(deps: {
  readonly fleet: Fleet;
  readonly shared: SharedRedis;
  readonly jobQueue: SharedQueue;
  readonly settings: Settings;
  readonly receiver: Pick<SlackReceiver, 'httpHandler' | 'readSigned'>;
  readonly config: Config;
  readonly isWeb: boolean;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly log: Log;
}): HttpServer {
  const { config, isWeb, fleet, jobQueue, receiver, readiness, metrics, log } = deps;
  const { httpHandler } = receiver;
  const status = statusRoutes({
    checks: readiness.checks,
    metrics,
    readings: () => readingsOf(deps),
    queue: jobQueue,
  });
  return createHttpServer(
    {
      ...(config.hasAgents && isWeb ? mcpRoutes(deps) : {}),
      ...(httpHandler ? { 'POST /slack/events': httpHandler, ...fleet.routes } : {}),
      ...status,
    },
    (error) => log.limited('http', error),
  );
}
