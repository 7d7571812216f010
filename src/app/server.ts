import { createHttpServer, type HttpServer } from '../platform/http/server.ts';
import { statusRoutes } from '../platform/http/status.ts';
import type { Log } from '../platform/log/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { SlackReceiver } from './receiver.ts';
import { botsOf, type Fleet } from './fleet.ts';
import { readingsOf } from './readings.ts';
import type { Readiness } from './readiness.ts';
import type { SharedRedis } from './redis.ts';
import type { Settings } from './settings.ts';

export interface ServerDeps {
  readonly fleet: Fleet;
  readonly shared: SharedRedis;
  readonly settings: Pick<Settings, 'state' | 'of'>;
  readonly receiver: Pick<SlackReceiver, 'httpHandler'>;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** What this process answers over HTTP: its status, and Slack where that comes over HTTP. */
export function createServer(deps: ServerDeps): HttpServer {
  const { fleet, receiver, readiness, metrics, log } = deps;
  const { httpHandler } = receiver;
  const status = statusRoutes({
    checks: readiness.checks,
    metrics,
    readings: () => readingsOf(deps),
    queues: () => botsOf(fleet).map(({ stores }) => stores.queue),
  });
  return createHttpServer(
    { ...(httpHandler ? { 'POST /slack/events': httpHandler, ...fleet.routes } : {}), ...status },
    (error) => log.limited('http', error),
  );
}
