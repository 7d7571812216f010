import type { Timings } from '../core/timings.ts';
import type { Adapter } from '../platform/hosting/adapter.ts';
import { baseOf } from '../platform/hosting/address.ts';
import { accountOf, createBudget } from '../platform/hosting/budget.ts';
import { createHostingClient } from '../platform/hosting/client.ts';
import { createSnapshotStore } from '../platform/hosting/list-snapshot.ts';
import { createRequester } from '../platform/hosting/request.ts';
import type { HostingService } from '../platform/hosting/service.ts';
import { createRedactor } from '../platform/log/redact.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import { type Config, ConfigError } from './config/config.ts';

/** The shortest secret that is taken out of what the hosting service answers. */
const SHORTEST_ECHO = 12;

/** The hosting service of an adapter, at the configured address or its own. Throws ConfigError where it has none. */
export function createHosting({
  config,
  adapter,
  redis,
  now,
  timings,
  metrics,
}: {
  config: Config;
  adapter: Adapter;
  redis: RedisConnection;
  /** Redis' time, Unix ms. */
  now: () => number;
  timings: Timings;
  metrics: Metrics;
}): HostingService {
  const { token, authHeader, authScheme } = config.hosting;
  const url = config.hosting.url ?? adapter.origin;
  if (url === undefined) throw new ConfigError(['HOSTING_API_URL is missing']);
  const budget = createBudget(redis, token, adapter.limit, now);
  const requester = createRequester({
    origin: baseOf(url, adapter.prefix).origin,
    authHeader,
    authValue: [authScheme, token].filter((part) => part !== '').join(' '),
    budget,
    timeoutMs: timings.apiTimeoutMs,
    // A short word for a key must not eat into names and ids.
    redact: createRedactor(config.secrets.filter((secret) => secret.length >= SHORTEST_ECHO)),
    faultOf: adapter.faultOf,
    onCall: (call, result, tookMs) => metrics.hostingCall(call.method, result, tookMs),
  });
  return createHostingClient(adapter, url, requester, {
    sharedForMs: timings.sharedForMs,
    line: budget,
    sharing: { store: createSnapshotStore(redis, accountOf(token)), now, limit: adapter.limit },
  });
}
