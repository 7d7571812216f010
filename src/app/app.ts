import { createAccess } from '../core/policy/access.ts';
import { createProtection } from '../core/policy/protection.ts';
import type { Config } from './config/config.ts';
import { createConfirmationStore } from '../core/confirmations/confirmation-store.ts';
import { createConfirmations } from '../core/confirmations/confirmations.ts';
import { createBackground, createFeatures, createKinds } from './features.ts';
import type { HostingAdapter } from '../platform/hosting/adapters/instance-hosting.ts';
import { baseOf } from '../platform/hosting/address.ts';
import { createBudget } from '../platform/hosting/budget.ts';
import { createHostingClient } from '../platform/hosting/client.ts';
import { createRequester } from '../platform/hosting/request.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { statusRoutes } from '../platform/http/status.ts';
import { type Jobs, startJobs } from './jobs.ts';
import type { Log } from '../platform/log/log.ts';
import { createRedactor } from '../platform/log/redact.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { createDurations } from '../core/operations/durations.ts';
import { createOfferStore } from '../core/operations/offer-store.ts';
import { createOperationStore } from '../core/operations/operation-store.ts';
import { createOperations } from '../core/operations/operations.ts';
import { createPastStore } from '../core/operations/past-store.ts';
import { createStumbles } from '../core/operations/stumbles.ts';
import { preflight } from './preflight.ts';
import { atMost } from '../platform/time/at-most.ts';
import { createQueue } from '../platform/queue/queue.ts';
import { repeat } from '../platform/time/repeat.ts';
import { createRedisClock } from '../platform/redis/clock.ts';
import { connectHasty, connectPatient, disconnect } from '../platform/redis/connection.ts';
import { createRateLimit } from '../core/requests/rate-limit.ts';
import { createAnswer } from '../core/requests/answer.ts';
import { createIntake } from '../core/requests/intake.ts';
import { createKeptWords } from '../core/requests/kept-words.ts';
import { createRequestStore } from '../core/requests/request-store.ts';
import { createBolt, createSlackLogger, createWebClient } from '../platform/slack/bolt.ts';
import { createHttpReceiver } from '../platform/slack/http-receiver.ts';
import { createIdentity } from '../platform/slack/identity.ts';
import { createInFlight } from '../platform/slack/in-flight.ts';
import { createMessenger } from '../platform/slack/messenger.ts';
import { createPeople } from '../platform/slack/people.ts';
import { createResponseUrls } from '../platform/slack/response-url.ts';
import { createResponder } from '../platform/slack/responder.ts';
import { route } from '../core/routing/router.ts';
import { createRouteTable } from '../core/routing/routes.ts';
import { createSocketReceiver } from '../platform/slack/socket-receiver.ts';
import { createTokenHealth } from '../platform/slack/token-health.ts';
import { createUploads } from '../platform/slack/upload.ts';
import { noFaultPoints, type FaultPoints } from './fault-points.ts';
import { createFindSubject } from '../core/lookup/subject.ts';
import type { Timings } from '../core/timings.ts';
import { createEventLoopWatch } from '../core/watchdogs/event-loop.ts';
import { createMemoryWatch } from '../core/watchdogs/memory.ts';

/** The shortest secret that is taken out of what the hosting service answers. */
const SHORTEST_ECHO = 12;

/** How long letting go of the queue may take when Redis does not answer. */
const CLOSE_LIMIT_MS = 500;

/** The whole bot, built and not yet started. */
export interface LamplighterApp {
  /**
   * Starts what this process' role asks for. Gives the port that HTTP listens on. Throws StartError for what won't pass
   * by itself; rejects with an AbortError when `stop` is called meanwhile.
   */
  start(): Promise<{ port: number }>;
  /** Takes no new work, finishes or parks what runs, lets go of everything. */
  stop(): Promise<void>;
}

/** The composition root: builds each part once and hands it on. Nothing else builds an adapter. */
export function createApp(
  config: Config,
  adapter: HostingAdapter,
  timings: Timings,
  log: Log,
  faultPoints: FaultPoints = noFaultPoints,
): LamplighterApp {
  const isWeb = config.role !== 'worker';
  const isWorker = config.role !== 'web';
  const metrics = createMetrics();

  const onRedisError = (error: Error): void => log.limited('redis', error);
  const hasty = connectHasty(config.redisUrl, onRedisError);
  const patient = connectPatient(config.redisUrl, onRedisError);
  const clock = createRedisClock(hasty);
  const queue = faultPoints('queue', createQueue(hasty, 'operations'));
  const billingQueue = faultPoints('billing queue', createQueue(hasty, 'billing'));
  const requestQueue = faultPoints('request queue', createQueue(hasty, 'requests'));

  const { botToken, apiUrl, appToken, signingSecret, commandPrefix } = config.slack;
  const slackLogger = createSlackLogger(log);
  const tokenHealth = createTokenHealth(() => web.auth.test());
  const web = createWebClient(botToken, apiUrl, timings.slackTimeoutMs, slackLogger, tokenHealth);
  const identity = createIdentity(web);
  const messenger = faultPoints('messenger', createMessenger(web));
  const uploads = faultPoints('uploads', createUploads(web, { apiUrl, timeoutMs: timings.slackTimeoutMs }));
  const responder = faultPoints('responder', createResponder(messenger, timings.slackTimeoutMs));
  const responseUrls = faultPoints('response urls', createResponseUrls(timings.slackTimeoutMs));
  const access = faultPoints('access', createAccess(config, createPeople(web, identity), log));

  const hosting = faultPoints(
    'hosting',
    createHostingClient(
      adapter,
      config.hosting.url,
      createRequester({
        origin: baseOf(config.hosting.url, adapter.prefix).origin,
        authHeader: config.hosting.authHeader,
        authValue: [config.hosting.authScheme, config.hosting.token].filter((part) => part !== '').join(' '),
        budget: createBudget(hasty, config.hosting.token, adapter.limit),
        timeoutMs: timings.apiTimeoutMs,
        // A short word for a key must not eat into names and ids.
        redact: createRedactor(config.secrets.filter((secret) => secret.length >= SHORTEST_ECHO)),
        onCall: (call, result, tookMs) => metrics.hostingCall(call.method, result, tookMs),
      }),
      timings,
    ),
  );

  // What runs behind the queue waits for Redis; what a person waits for doesn't.
  const hastyStore = faultPoints('operations', createOperationStore(hasty, clock, log));
  const store = isWorker ? faultPoints('operations', createOperationStore(patient, clock, log)) : hastyStore;
  const offers = faultPoints('offers', createOfferStore(hasty));
  const past = faultPoints('past', createPastStore(hasty));
  const isProtected = createProtection(config.protectedInstances);
  const operations = createOperations({
    store,
    hastyStore,
    queue,
    clock,
    durations: faultPoints('durations', createDurations(hasty)),
    past,
    kinds: createKinds({ hosting, isProtected, clock, timings }),
    timings,
    metrics,
    log,
    workspaceUrl: () => identity.known()?.url,
  });
  const requests = faultPoints('requests', createRequestStore(hasty, clock, timings));
  const intake = createIntake({ requests, queue: requestQueue, clock, timings, log });
  const keptWords = faultPoints('kept words', createKeptWords(hasty));
  const confirmationStore = faultPoints('confirmations', createConfirmationStore(hasty));
  const confirmations = createConfirmations({ store: confirmationStore, clock, timings });

  const forFeatures = {
    config,
    access,
    hosting,
    operations,
    offers,
    confirmations,
    past,
    isProtected,
    keptWords,
    messenger,
    uploads,
    billingQueue,
    clock,
    timings,
    faultPoints,
    log,
  };
  const routes = createRouteTable(createFeatures({ ...forFeatures, redis: hasty }));
  const answer = createAnswer({
    access,
    responder,
    keptWords,
    routes,
    findSubject: createFindSubject({ offers, confirmations: confirmationStore, operations }),
    now: clock.now,
    log,
  });

  const inFlight = createInFlight(log);
  const onRefused = (why: string): void => metrics.slackRequest('refused', why);
  const http = createHttpReceiver({
    signingSecret: signingSecret ?? '',
    isFirst: intake.isFirst,
    onRefused,
    now: clock.now,
  });
  const socket =
    appToken === undefined || !isWeb
      ? undefined
      : createSocketReceiver({
          appToken,
          apiUrl,
          logger: slackLogger,
          onRefused,
          onState: metrics.slackSocket,
          now: clock.now,
          log,
        });
  const bolt = createBolt({
    receiver: socket?.receiver ?? http.receiver,
    botToken,
    apiUrl,
    identity,
    logger: slackLogger,
    log,
  });
  route(bolt, {
    routes,
    intake,
    answer,
    access,
    rateLimit: createRateLimit(timings.asksPerMinute),
    inFlight,
    commandPrefix,
    apiUrl,
    metrics,
    log,
  });

  let jobs: Jobs | undefined;
  let stopWatchdogs = (): void => undefined;
  const eventLoop = createEventLoopWatch(timings, log);
  const memory = createMemoryWatch({ redis: hasty, operations, messenger, admins: config.admins, log });
  const watchdogs = [eventLoop.check, ...(isWorker ? [memory] : [])];
  const takesHttp = isWeb && !socket;
  const stopping = new AbortController();
  let isStarted = false;
  const server = createHttpServer(
    {
      ...(takesHttp ? { 'POST /slack/events': http.handler } : {}),
      ...statusRoutes({
        checks: {
          start: async () => (isStarted ? undefined : 'starting'),
          redis: async () => ((await hasty.ping()) === 'PONG' ? undefined : 'no answer'),
          slack: async () => tokenHealth.check() ?? socket?.fault(),
          ...(isWorker ? { worker: async () => (jobs?.isRunning() ? undefined : 'not running') } : {}),
        },
        metrics,
        queues: [requestQueue, queue, billingQueue],
      }),
    },
    (error) => log.limited('http', error),
  );

  return {
    start: async () => {
      // First, so that whoever watches the process sees that it lives while it waits for Redis or Slack.
      const port = await server.start(config.host, config.port);
      log.info({ port }, 'listening');
      await preflight({
        config,
        redis: hasty,
        clock,
        identity,
        hosting,
        log,
        stopping: stopping.signal,
      });
      stopping.signal.throwIfAborted();
      if (isWorker) {
        jobs = startJobs({
          operations,
          stumbles: createStumbles({ operations, store, clock, log }),
          store,
          background: createBackground({ ...forFeatures, redis: patient }),
          requests,
          requestQueue,
          routes,
          answer,
          access,
          messenger,
          responseUrls,
          queue,
          redis: patient,
          clock,
          timings,
          log,
        });
      }
      stopWatchdogs = repeat(timings.watchdogEveryMs, watchdogs, (error) => log.limited('watchdog', error));
      if (isWeb) await bolt.start();
      stopping.signal.throwIfAborted();
      isStarted = true;
      log.info({ role: config.role, mode: takesHttp ? 'http' : 'socket' }, 'ready');
      return { port };
    },
    stop: async () => {
      stopping.abort();
      const until = performance.now() + timings.drainMs;
      const left = (): number => Math.max(0, until - performance.now());
      if (isWeb) await bolt.stop();
      const closing = server.stop();
      stopWatchdogs();
      await Promise.all([atMost(left(), Promise.all([closing, inFlight.drain()])), jobs?.drain(left())]);
      eventLoop.stop();
      intake.stop();
      clock.stop();
      await hosting.close();
      await atMost(CLOSE_LIMIT_MS, Promise.all([queue.close(), requestQueue.close(), billingQueue.close()]));
      await Promise.all([disconnect(hasty), disconnect(patient)]);
    },
  };
}
