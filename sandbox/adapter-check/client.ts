import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import { baseOf } from '../../src/platform/hosting/address.ts';
import { BEARER } from '../../src/platform/hosting/auth.ts';
import { createHostingClient } from '../../src/platform/hosting/client.ts';
import { createRequester, type SendingOptions } from '../../src/platform/hosting/request.ts';
import type { HostingService } from '../../src/platform/hosting/service.ts';
import { createServiceCredentials } from '../../src/platform/hosting/service-credentials.ts';
import type { SessionStore } from '../../src/platform/hosting/sessions.ts';
import { direct, type WayOut } from '../../src/platform/http/way-out.ts';

/** Where an adapter is tried, and how far it may go. */
export interface Tried {
  readonly adapter: Adapter;
  readonly url: string;
  readonly token: string;
  /** Where tokens are asked for, in place of where the adapter says. */
  readonly loginUrl?: string | undefined;
  /** The instance that may be stopped, started and restarted; without it nothing is changed. */
  readonly powerId?: string;
  /** How long a power action may take. */
  readonly patienceMs: number;
}

/** Each client opens a session of its own. */
const ALONE: SessionStore = {
  find: async () => undefined,
  put: async () => undefined,
  alone: (_, work) => work(),
};

/** A client as the bot has it, for whom nobody else uses the key. */
export function clientOf(
  { adapter, loginUrl }: Tried,
  url: string,
  token: string,
  wayOut: WayOut = direct,
): HostingService {
  const sending: SendingOptions = {
    wayOut,
    timeoutMs: 10_000,
    redact: (text) => text.replaceAll(token, '…'),
    service: adapter,
  };
  const credentials = createServiceCredentials(
    {
      auth: adapter.auth ?? BEARER,
      url,
      loginUrl,
      prefix: adapter.prefix,
      key: token,
      store: ALONE,
      now: Date.now,
    },
    sending,
  );
  const requester = createRequester({
    ...sending,
    origin: baseOf(url, adapter.prefix).origin,
    credentials,
    // Nobody else uses the key meanwhile, and a handful of calls are within any limit.
    budget: { take: async () => undefined, pause: async () => undefined },
  });
  return createHostingClient(adapter, url, requester);
}
