import { App, type Logger, LogLevel, type Receiver } from '@slack/bolt';
import { type FetchFunction, type WebAPICallResult, WebClient } from '@slack/web-api';
import type { Log } from '../log/log.ts';
import { type AccountMark, marked } from './account-mark.ts';
import { type OnCall, timedCall } from './timed-call.ts';
import type { Identity } from './identity.ts';
import type { TokenHealth } from './token-health.ts';
import { withoutNulls } from './payload.ts';
import { z } from 'zod';

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

/** The person whose Home a call publishes. */
function shownTo({ user_id: userId }: Record<string, unknown>): string | undefined {
  return typeof userId === 'string' ? userId : undefined;
}

/**
 * A client that reports every answer of Slack to what watches the token, and puts an account's mark on what is sent. In its
 * answers null counts as absent.
 */
class WatchedClient extends WebClient {
  readonly #health: Pick<TokenHealth, 'succeeded' | 'failed'>;
  readonly #mark: AccountMark | undefined;
  readonly #onCall: OnCall | undefined;

  constructor(
    health: Pick<TokenHealth, 'succeeded' | 'failed'>,
    mark: AccountMark | undefined,
    onCall: OnCall | undefined,
    ...given: ConstructorParameters<typeof WebClient>
  ) {
    super(...given);
    this.#health = health;
    this.#mark = mark;
    this.#onCall = onCall;
  }

  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    try {
      const asked = options && marked(this.#mark, options, shownTo(options));
      const call = (): Promise<WebAPICallResult> => super.apiCall(method, asked);
      const answer = withoutNulls(await timedCall(method, this.#onCall, call));
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
 * one workspace's token into the next.
 */
export function createWebClient(
  token: string,
  {
    apiUrl,
    timeoutMs,
    logger,
    health = UNWATCHED,
    mark,
    onCall,
    teamId,
    fetch,
  }: {
    readonly apiUrl: string;
    readonly timeoutMs: number;
    readonly logger: Logger;
    readonly health?: Pick<TokenHealth, 'succeeded' | 'failed'>;
    /** The account that all of it is about, where there are several. */
    readonly mark?: AccountMark;
    readonly onCall?: OnCall;
    /** The workspace that each call names: with a token of a whole organization, Slack asks which one is meant. */
    readonly teamId?: string | undefined;
    /** What makes its calls. */
    readonly fetch: FetchFunction;
  },
): WebClient {
  return new WatchedClient(health, mark, onCall, token, {
    slackApiUrl: apiUrl,
    retryConfig: { retries: 0 },
    timeout: timeoutMs,
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger,
    ...(teamId === undefined ? {} : { teamId }),
    fetch,
  });
}

/** Bolt over our receiver. Authorizes from memory, so that acknowledging never hangs on Slack's API. */
export function createBolt(options: {
  receiver: Receiver;
  botToken: string;
  apiUrl: string;
  /** What makes the calls of Bolt itself. */
  fetch: FetchFunction;
  /** Who the bot is in a workspace. */
  identityIn: (teamId: string | undefined) => ReturnType<Identity['known']>;
  logger: Logger;
  log: Log;
}): App {
  const app = new App({
    receiver: options.receiver,
    authorize: async (_source, body) => {
      const teamId = workspaceOf(body);
      const known = options.identityIn(teamId);
      return {
        botToken: options.botToken,
        ...(teamId === undefined ? {} : { teamId }),
        ...(known?.botId === undefined ? {} : { botId: known.botId }),
        ...(known ? { botUserId: known.botUserId } : {}),
      };
    },
    logger: options.logger,
    convoStore: false,
    // The listeners take no message of a bot, this one included.
    ignoreSelf: false,
    clientOptions: {
      slackApiUrl: options.apiUrl,
      retryConfig: { retries: 0 },
      timeout: 5_000,
      fetch: options.fetch,
    },
  });
  app.error(async (error) => {
    options.log.error({ error }, 'taking a request of Slack in');
    throw error;
  });
  return app;
}

const id = z.string().optional().catch(undefined);
const withTeam = z.object({ team_id: id }).optional().catch(undefined);
const bodySchema = z.object({
  team_id: id,
  context_team_id: id,
  authorizations: z
    .array(z.object({ team_id: id }))
    .optional()
    .catch(undefined),
  team: z.object({ id }).optional().catch(undefined),
  user: withTeam,
  view: z.object({ app_installed_team_id: id, team_id: id }).optional().catch(undefined),
  message: z.object({ team: id }).optional().catch(undefined),
});

/**
 * The workspace that a request of Slack is about: the one in which our installation is meant, and else where it happened. Undefined where
 * Slack names none. An installation for a whole organization is named by `E…`, which is no workspace; then an interaction has no
 * `team`, and what it was used on says where. Its person's own workspace is the last to be looked at: they may be in several.
 */
function workspaceOf(body: unknown): string | undefined {
  const said = bodySchema.safeParse(body).data;
  if (!said) return undefined;
  const { authorizations, team, user, view, message } = said;
  return [
    view?.app_installed_team_id,
    authorizations?.[0]?.team_id,
    said.context_team_id,
    team?.id,
    said.team_id,
    view?.team_id,
    message?.team,
    user?.team_id,
  ].find((one) => one?.startsWith('T'));
}
