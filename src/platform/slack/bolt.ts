import { App, type Logger, LogLevel, type Receiver } from '@slack/bolt';
import { type FetchFunction, type WebAPICallResult, WebClient } from '@slack/web-api';
import type { Log } from '../log/log.ts';
import type { Identity } from './identity.ts';
import { createPoolFetch } from './pool-fetch.ts';
import type { TokenHealth } from './token-health.ts';

/** Slack's own logger interface over our log. Its debug lines carry whole bodies, so they go nowhere. */
export function createSlackLogger(log: Log): Logger {
  const text = (parts: unknown[]): string => parts.map(String).join(' ').slice(0, 500);
  return {
    debug: () => undefined,
    info: (...parts) => log.debug({ from: 'slack' }, text(parts)),
    warn: (...parts) => log.warn({ from: 'slack' }, text(parts)),
    error: (...parts) => log.limited('slack', new Error(text(parts))),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}

/** A client that reports every answer of Slack to whoever watches the token. */
class WatchedClient extends WebClient {
  readonly #health: Pick<TokenHealth, 'succeeded' | 'failed'>;

  constructor(
    health: Pick<TokenHealth, 'succeeded' | 'failed'>,
    ...given: ConstructorParameters<typeof WebClient>
  ) {
    super(...given);
    this.#health = health;
  }

  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    try {
      const answer = await super.apiCall(method, options);
      this.#health.succeeded(method, answer);
      return answer;
    } catch (error) {
      this.#health.failed(method, error);
      throw error;
    }
  }
}

const UNWATCHED = { succeeded: (): void => undefined, failed: (): void => undefined };

/**
 * The one client of Slack's Web API: no retries of its own, which would post twice and last half an hour, a time
 * limit, and a 429 as an error instead of a pause of everything. Never `headers`: they leak
 * one workspace's token into the next. `fetch`: what makes its calls.
 */
export function createWebClient(
  token: string,
  apiUrl: string,
  timeoutMs: number,
  logger: Logger,
  health: Pick<TokenHealth, 'succeeded' | 'failed'> = UNWATCHED,
  fetch: FetchFunction = createPoolFetch(apiUrl),
): WebClient {
  return new WatchedClient(health, token, {
    slackApiUrl: apiUrl,
    retryConfig: { retries: 0 },
    timeout: timeoutMs,
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger,
    fetch,
  });
}

/** Bolt over our receiver. Authorises from memory, so that acknowledging never hangs on Slack's API. */
export function createBolt(options: {
  receiver: Receiver;
  botToken: string;
  apiUrl: string;
  identity: Identity;
  logger: Logger;
  log: Log;
}): App {
  const app = new App({
    receiver: options.receiver,
    authorize: async () => {
      const known = options.identity.known();
      return {
        botToken: options.botToken,
        ...(known?.botId === undefined ? {} : { botId: known.botId }),
        ...(known ? { botUserId: known.botUserId } : {}),
      };
    },
    logger: options.logger,
    convoStore: false,
    clientOptions: { slackApiUrl: options.apiUrl, retryConfig: { retries: 0 }, timeout: 5_000 },
  });
  app.error(async (error) => {
    options.log.error({ error }, 'taking a request of Slack in');
    throw error;
  });
  return app;
}
