import { createKeepAudit } from '../core/audit/keep-audit.ts';
import { createBatches } from '../core/batches/batches.ts';
import { createConfirmations } from '../core/confirmations/confirmations.ts';
import { createFindSubject } from '../core/lookup/subject.ts';
import { createOperations } from '../core/operations/operations.ts';
import { createAttemptLimit } from '../core/operations/attempt-limit.ts';
import { type Access, createAccess } from '../core/policy/access.ts';
import { createProtection } from '../core/policy/protection.ts';
import { createAnswer } from '../core/requests/answer.ts';
import { createIntake } from '../core/requests/intake.ts';
import { createRateLimit } from '../core/requests/rate-limit.ts';
import { route } from '../core/routing/router.ts';
import { createRouteTable } from '../core/routing/routes.ts';
import type { Timings } from '../core/timings.ts';
import { createEventLoopWatch } from '../core/watchdogs/event-loop.ts';
import { createMemoryWatch, type MemoryWatchDeps } from '../core/watchdogs/redis-memory.ts';
import type { HostingAdapter } from '../platform/hosting/adapters/instance-hosting.ts';
import type { Log } from '../platform/log/log.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { createInFlight } from '../platform/slack/in-flight.ts';
import { withKnownVerbs } from './change-verbs.ts';
import type { Config } from './config/config.ts';
import { type FaultPoints, noFaultPoints } from './fault-points.ts';
import { createExamination } from './doctor.ts';
import {
  createBackground,
  createChanges,
  createFeatures,
  createKinds,
  type MoreChanges,
} from './features.ts';
import { createHosting } from './hosting.ts';
import { startJobs } from './jobs.ts';
import { createLife, type LamplighterApp } from './life.ts';
import { createReceiver } from './receiver.ts';
import { createServer, type Progress } from './server.ts';
import { createSlack, type Slack } from './slack.ts';
import { createStores, type Stores } from './stores.ts';

/** The composition root: builds each part once and hands it on. Nothing outside this folder builds an adapter. */
export function createApp(
  config: Config,
  adapter: HostingAdapter,
  timings: Timings,
  log: Log,
  faultPoints: FaultPoints = noFaultPoints,
  more?: MoreChanges,
): LamplighterApp {
  const isWeb = config.role !== 'worker';
  const isWorker = config.role !== 'web';
  const { commandPrefix, apiUrl } = config.slack;
  const metrics = createMetrics();
  const stores = createStores({ redisUrl: config.redisUrl, isWorker, timings, faultPoints, log });
  const { failFast, blocking, clock, confirmationStore } = stores;
  const slack = createSlack({ config, timings, faultPoints, log });
  const hosting = faultPoints(
    'hosting',
    createHosting({ config, adapter, redis: failFast, now: clock.now, timings, metrics }),
  );
  const access = faultPoints('access', createRights(config, slack, stores, log));

  // Each part below asks by its type for its share of what is built by now.
  const given = {
    ...stores,
    ...slack,
    config,
    hosting,
    line: faultPoints('line', hosting.line),
    access,
    isProtected: createProtection(config.protectedInstances),
    metrics,
    timings,
    faultPoints,
    log,
  };
  const changes = createChanges(given, more);
  const operations = createOperations({
    ...given,
    kinds: createKinds(changes, timings),
    workspaceUrl: () => slack.identity.known()?.url,
  });
  const intake = createIntake({ ...given, queue: stores.requestQueue });
  const confirmations = createConfirmations({ ...given, store: confirmationStore });
  const examine = createExamination({ ...given, adapter, redis: failFast });
  const batches = createBatches({ ...given, batchStore: stores.failFastBatchStore, operations });
  const forFeatures = { ...given, changes, operations, batches, confirmations, examine };
  const features = createFeatures({ ...forFeatures, redis: failFast });
  const routes = createRouteTable(withKnownVerbs(config, features));
  const findSubject = createFindSubject({ ...forFeatures, confirmations: confirmationStore });
  const answer = createAnswer({ ...given, routes, findSubject, now: clock.now });

  const inFlight = createInFlight(log);
  const receiver = createReceiver({ ...given, isWeb, slack, now: clock.now });
  const rateLimit = createRateLimit(timings.asksPerMinute);
  route(receiver.bolt, { ...given, routes, intake, answer, rateLimit, inFlight, commandPrefix, apiUrl });

  const progress: Progress = { isStarted: false, jobs: undefined };
  const forLife = { ...given, isWeb, isWorker, stores, slack, receiver, progress, intake, inFlight };
  const eventLoop = createEventLoopWatch(timings, log);
  return createLife({
    ...forLife,
    server: createServer(forLife),
    eventLoop,
    watchdogs: [eventLoop.check, ...createWorkerWatchdogs(isWorker, config, { ...given, operations })],
    startJobs: isWorker
      ? () =>
          startJobs({
            ...forFeatures,
            attempts: createAttemptLimit({ ...given, operations }),
            background: createBackground({ ...forFeatures, redis: blocking }),
            admins: config.admins,
            approvalRules: config.approvals,
            routes,
            answer,
            redis: blocking,
          })
      : undefined,
  });
}

/** Who may do what: by the configuration and the policy file, and by what people set in Slack. */
function createRights(
  { admins, everyone, policy }: Config,
  { people, userGroups }: Slack,
  { accessStore: store, clock }: Stores,
  log: Log,
): Access {
  const { name, grants, channels = {} } = policy ?? {};
  // Where the file says who has which role, what was given in Slack doesn't count.
  const ofFile = name !== undefined && grants ? { grants, rolesFile: name } : {};
  const fixed = { admins, everyone, channels, ...ofFile };
  return createAccess({ fixed, people, userGroups, store, now: clock.now, log });
}

/** What a worker looks after beside its jobs; nothing for a process that is none. */
function createWorkerWatchdogs(
  isWorker: boolean,
  { admins, auditKeepMs: keepMs }: Config,
  given: Omit<MemoryWatchDeps, 'redis' | 'admins'> & Stores,
): readonly (() => Promise<void>)[] {
  if (!isWorker) return [];
  const { failFast: redis, clock } = given;
  return [
    createMemoryWatch({ ...given, redis, admins }),
    createKeepAudit({ ...given, redis, keepMs, now: clock.now }),
  ];
}
