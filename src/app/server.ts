import { createHttpServer, type HttpServer } from '../platform/http/server.ts';
import { statusRoutes } from '../platform/http/status.ts';
import type { Log } from '../platform/log/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import { createWriteCheck } from '../platform/redis/write-check.ts';
import type { SlackReceiver } from './receiver.ts';
import type { Config } from './config/config.ts';
import { botsOf, type Fleet } from './fleet.ts';
import type { SharedRedis } from './redis.ts';

/** How far the start of this process has come. */
export interface Progress {
  isStarted: boolean;
}

export interface ServerDeps {
  readonly config: Config;
  readonly fleet: Fleet;
  readonly shared: SharedRedis;
  readonly receiver: SlackReceiver;
  readonly progress: Readonly<Progress>;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** What this process answers over HTTP: its status, and Slack where that comes over HTTP. */
export function createServer(deps: ServerDeps): HttpServer {
  const { config, fleet, shared, receiver, progress, metrics, log } = deps;
  const { httpHandler } = receiver;
  const writeCheck = createWriteCheck(shared.failFast);
  const status = statusRoutes({
    checks: {
      start: async () => (progress.isStarted ? undefined : 'starting'),
      redis: writeCheck,
      slack: async () => fleet.slackFault() ?? receiver.fault(),
      ...(config.role === 'web'
        ? {}
        : { worker: async () => (fleet.isRunning() ? undefined : 'not running') }),
    },
    metrics,
    queues: () => botsOf(fleet).map(({ stores }) => stores.queue),
  });
  return createHttpServer(
    { ...(httpHandler ? { 'POST /slack/events': httpHandler, ...fleet.routes } : {}), ...status },
    (error) => log.limited('http', error),
  );
}
