import { createHttpServer, type HttpServer } from '../platform/http/server.ts';
import { statusRoutes } from '../platform/http/status.ts';
import type { SharedQueue } from '../platform/queue/queue.ts';
import type { Config } from './config/config.ts';
import { mcpRoutes } from './mcp.ts';
import type { SlackReceiver } from './receiver.ts';
import type { Fleet } from './fleet.ts';
import { readingsOf } from './readings.ts';
import type { Readiness } from './readiness.ts';
import type { SharedRedis } from './redis.ts';
import type { Settings } from './settings.ts';
import type { Bot } from '../core/bot/bot.ts';

export interface ServerDeps extends Pick<Bot, 'log' | 'metrics'> {
  readonly fleet: Fleet;
  readonly shared: SharedRedis;
  readonly jobQueue: SharedQueue;
  readonly settings: Settings;
  readonly receiver: Pick<SlackReceiver, 'httpHandler' | 'readSigned'>;
  readonly config: Config;
  readonly isWeb: boolean;
  readonly readiness: Readiness;
}

/** What this process answers over HTTP: its status, and Slack where that comes over HTTP. */
export function createServer(deps: ServerDeps): HttpServer {
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
