import type { Intake } from '../core/requests/intake.ts';
import type { Timings } from '../core/timings.ts';
import type { HostingService } from '../platform/hosting/service.ts';
import type { HttpServer } from '../platform/http/server.ts';
import type { Log } from '../platform/log/log.ts';
import { disconnect } from '../platform/redis/connection.ts';
import type { InFlight } from '../platform/slack/in-flight.ts';
import { atMost } from '../platform/time/at-most.ts';
import { repeat } from '../platform/time/repeat.ts';
import type { Config } from './config/config.ts';
import type { Jobs } from './jobs.ts';
import { preflight } from './preflight.ts';
import type { SlackReceiver } from './receiver.ts';
import type { Progress } from './server.ts';
import type { Slack } from './slack.ts';
import type { Stores } from './stores.ts';

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

export interface LifeDeps {
  readonly config: Config;
  readonly isWeb: boolean;
  readonly stores: Stores;
  readonly slack: Slack;
  readonly hosting: HostingService;
  readonly receiver: SlackReceiver;
  readonly server: HttpServer;
  readonly intake: Intake;
  readonly inFlight: InFlight;
  readonly eventLoop: { stop(): void };
  readonly watchdogs: readonly (() => Promise<void>)[];
  /** Undefined where this process does not work behind the queue. */
  readonly startJobs: (() => Jobs) | undefined;
  readonly progress: Progress;
  readonly timings: Timings;
  readonly log: Log;
}

/** Starts and stops everything in order. */
export function createLife(deps: LifeDeps): LamplighterApp {
  const { config, isWeb, stores, hosting, receiver, server, progress, timings, log } = deps;
  const { failFast, blocking, clock, queue, requestQueue, billingQueue } = stores;
  const stopping = new AbortController();
  let stopWatchdogs = (): void => undefined;
  return {
    start: async () => {
      // First, so that whoever watches the process sees that it lives while it waits for Redis or Slack.
      const port = await server.start(config.host, config.port);
      log.info({ port }, 'listening');
      const { identity } = deps.slack;
      await preflight({ config, redis: failFast, clock, identity, hosting, log, stopping: stopping.signal });
      stopping.signal.throwIfAborted();
      progress.jobs = deps.startJobs?.();
      stopWatchdogs = repeat(timings.watchdogEveryMs, deps.watchdogs, (error) =>
        log.limited('watchdog', error),
      );
      if (isWeb) await receiver.bolt.start();
      stopping.signal.throwIfAborted();
      progress.isStarted = true;
      const mode = receiver.httpHandler ? 'http' : 'socket';
      log.info({ role: config.role, ...(isWeb ? { mode } : {}) }, 'ready');
      return { port };
    },
    stop: async () => {
      stopping.abort();
      const until = performance.now() + timings.drainMs;
      const left = (): number => Math.max(0, until - performance.now());
      if (isWeb) await receiver.bolt.stop();
      const closing = server.stop();
      stopWatchdogs();
      await Promise.all([
        atMost(left(), Promise.all([closing, deps.inFlight.drain()])),
        progress.jobs?.drain(left()),
      ]);
      deps.eventLoop.stop();
      deps.intake.stop();
      clock.stop();
      await hosting.close();
      await atMost(CLOSE_LIMIT_MS, Promise.all([queue.close(), requestQueue.close(), billingQueue.close()]));
      await Promise.all([disconnect(failFast), disconnect(blocking)]);
    },
  };
}
