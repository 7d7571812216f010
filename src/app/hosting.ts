import { type StateOwner, createStateOwner } from '../core/deployment/owner.ts';
import type { Timings } from '../core/timings.ts';
import type { Adapter } from '../platform/hosting/adapter.ts';
import { baseOf } from '../platform/hosting/address.ts';
import { accountOf, createBudget } from '../platform/hosting/budget.ts';
import { createHostingClient } from '../platform/hosting/client.ts';
import { createSnapshotStore } from '../platform/hosting/list-snapshot.ts';
import { BEARER } from '../platform/hosting/auth.ts';
import { createServiceCredentials } from '../platform/hosting/service-credentials.ts';
import { createRequester, type SendingOptions } from '../platform/hosting/request.ts';
import { createSessionStore } from '../platform/hosting/sessions.ts';
import type { HostingService } from '../platform/hosting/service.ts';
import type { WayOut } from '../platform/http/way-out.ts';
import { createRedactor, type Log } from '../platform/log/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import { type Config, ConfigError } from './config/config.ts';
import type { Account } from '../core/accounts/account.ts';

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
  owner,
  wayOut,
  log,
}: {
  config: Config;
  adapter: Adapter;
  redis: RedisConnection;
  /** Redis' time, Unix ms. */
  now: () => number;
  timings: Timings;
  metrics: Pick<Metrics, 'hostingCall'>;
  /** Whose state the calls come from; undefined where none is kept. */
  owner?: Pick<StateOwner, 'check'>;
  wayOut: WayOut;
  /** Hears what of an answer can't be read and was left out. */
  log?: Pick<Log, 'limited'>;
}): HostingService {
  const { token: key, loginUrl, clientCertificate } = config.hosting;
  const url = urlOf(config, adapter);
  const budget = createBudget(redis, key, adapter.limit, now);
  // A short word for a key must not eat into names and ids.
  const hidden = config.secrets.filter((secret) => secret.length >= SHORTEST_ECHO);
  const sending: SendingOptions = {
    wayOut,
    clientCertificate,
    timeoutMs: timings.apiTimeoutMs,
    redact: createRedactor(hidden),
    service: adapter,
    onCall: (call, result, tookMs) => metrics.hostingCall(call.method, result, tookMs),
  };
  const credentials = createServiceCredentials(
    {
      auth: adapter.auth ?? BEARER,
      url,
      prefix: adapter.prefix,
      loginUrl,
      key,
      store: createSessionStore(redis, [adapter.name, url, loginUrl].join(' ')),
      now,
    },
    sending,
  );
  const requester = createRequester({
    ...sending,
    origin: baseOf(url, adapter.prefix).origin,
    credentials,
    budget,
    ...(owner ? { mayCall: createMayCall(owner) } : {}),
  });
  const service = createHostingClient(adapter, url, requester, {
    sharedForMs: timings.sharedForMs,
    writeQueue: budget,
    onLeftOut: (doing, counts) => log?.limited(`${doing}: left out`, new Error(leftOutWords(counts))),
    sharing: {
      store: createSnapshotStore(redis, accountOf(`${adapter.name} ${url} ${key}`)),
      now,
      limit: adapter.limit,
    },
  });
  return { ...service, about: { ...service.about, isToppedUp: config.isToppedUp } };
}

function urlOf({ hosting }: Config, adapter: Adapter): string {
  const url = hosting.url ?? adapter.origin;
  if (url === undefined) throw new ConfigError(['HOSTING_API_URL is missing']);
  return url;
}

/** Where the API of an account is, however that was written. */
function addressOf(config: Config, adapter: Adapter): string {
  const { origin, path } = baseOf(urlOf(config, adapter), adapter.prefix);
  return `${origin}${path}`;
}

/** What reads ask for is no older than this. */
const READ_CHECK_MS = 1_000;

/** Whether calls may leave: a write asks each time, and reads at most once a second together. */
function createMayCall(owner: Pick<StateOwner, 'check'>): (isWrite: boolean) => Promise<void> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  return async (isWrite) => {
    if (!isWrite && performance.now() - checkedAt < READ_CHECK_MS) return;
    await owner.check();
    checkedAt = performance.now();
  };
}

/** "created_at of 3 records, tier of 1": by the names of fields, and nothing of what stands in them. */
function leftOutWords(counts: ReadonlyMap<string, number>): string {
  const each = [...counts].slice(0, 10).map(([field, count]) => `${field.slice(0, 40)} of ${count}`);
  return `${each.join(', ')} that can't be read`;
}

/** Whose state an account works with: its service, address and key, in that workspace. `teamId`: undefined while nobody knows. */
export function createAccountOwner(
  {
    account,
    config,
    adapter,
  }: { readonly account: Account | undefined; readonly config: Config; readonly adapter: Adapter },
  kept: { readonly redis: RedisConnection; readonly read?: () => Promise<string | null> },
  teamId: () => string | undefined,
): StateOwner {
  // The same file may stand at another path tomorrow.
  const service = adapter.version === undefined ? config.hosting.service : adapter.name;
  const address = addressOf(config, adapter);
  return createStateOwner({
    ...kept,
    owner: () => ({
      workspace: teamId(),
      service,
      address,
      apiKey: config.hosting.token,
    }),
    takeOver: config.takeOver,
    account: account?.name,
  });
}
