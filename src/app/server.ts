import { createHttpServer, type HttpServer } from '../platform/http/server.ts';
import { statusRoutes } from '../platform/http/status.ts';
import type { Log } from '../platform/log/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Jobs } from './jobs.ts';
import type { SlackReceiver } from './receiver.ts';
import type { Slack } from './slack.ts';
import type { Stores } from './stores.ts';

/** How far the start of this process has come. */
export interface Progress {
  isStarted: boolean;
  jobs: Jobs | undefined;
}

export interface ServerDeps {
  readonly isWorker: boolean;
  readonly stores: Stores;
  readonly slack: Slack;
  readonly receiver: SlackReceiver;
  readonly progress: Readonly<Progress>;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** What this process answers over HTTP: its status, and Slack where that comes over HTTP. */
export function createServer(deps: ServerDeps): HttpServer {
  const { isWorker, stores, slack, receiver, progress, metrics, log } = deps;
  const { httpHandler } = receiver;
  const status = statusRoutes({
    checks: {
      start: async () => (progress.isStarted ? undefined : 'starting'),
      redis: async () => ((await stores.failFast.ping()) === 'PONG' ? undefined : 'no answer'),
      slack: async () => slack.tokenHealth.check() ?? receiver.fault(),
      ...(isWorker ? { worker: async () => (progress.jobs?.isRunning() ? undefined : 'not running') } : {}),
    },
    metrics,
    queues: [stores.requestQueue, stores.queue, stores.billingQueue],
  });
  return createHttpServer(
    { ...(httpHandler ? { 'POST /slack/events': httpHandler } : {}), ...status },
    (error) => log.limited('http', error),
  );
}
