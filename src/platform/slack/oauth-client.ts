import type { Logger } from '@slack/bolt';
import type { FetchFunction } from '@slack/web-api';
import { z } from 'zod';
import { createWebClient } from './bolt.ts';
import { isRefusedToken, isRevokedToken, SlackError, slackErrorOf } from './errors.ts';

/** A bot token that a refresh gave, and what gives the next one. */
export interface RefreshedToken {
  readonly token: string;
  readonly refreshToken: string;
  readonly livesMs: number;
  /** Whose it is: of a workspace (`T…`), or of an organization (`E…`). Undefined where Slack doesn't say. */
  readonly of: string | undefined;
}

/** What is asked of Slack as the app, and about tokens that aren't in use yet or any more. */
export interface OAuthClient {
  /** Uses a refresh token up. Throws SlackError only. */
  refresh(refreshToken: string): Promise<RefreshedToken>;
  /** Makes a token useless. Throws SlackError only. */
  revoke(token: string): Promise<void>;
  /** The ids of all workspaces that a token may be used in. Throws SlackError only. */
  workspaces(token: string): Promise<readonly string[]>;
  /** Whether a token was revoked, which one that only ended, or is refused for now, wasn't; undefined where Slack doesn't say. */
  isRevoked(token: string): Promise<boolean | undefined>;
}

export interface OAuthClientOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where the Web API is, with a slash at its end. */
  readonly apiUrl: string;
  readonly timeoutMs: number;
  readonly logger: Logger;
  /** What makes its calls. */
  readonly fetch: FetchFunction;
}

const refreshSchema = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.number().positive(),
  token_type: z.literal('bot').optional(),
  team: z.object({ id: z.string() }).optional(),
  enterprise: z.object({ id: z.string() }).optional(),
});
const workspacesSchema = z.object({
  teams: z.array(z.object({ id: z.string().regex(/^T[A-Z0-9]{1,20}$/) })),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});
/** The most that Slack gives at once, and more pages than any organization fills. */
const PAGE_SIZE = 1_000;
const MAX_PAGES = 50;

export function createOAuthClient(options: OAuthClientOptions): OAuthClient {
  const { clientId, clientSecret, apiUrl, timeoutMs, logger, fetch } = options;
  const as = (token: string): ReturnType<typeof createWebClient> =>
    createWebClient(token, { apiUrl, timeoutMs, logger, fetch });
  return {
    refresh: async (refreshToken) => {
      const web = as('');
      const answer = await asked(
        web.oauth.v2.access({
          client_id: clientId,
          client_secret: clientSecret,
          grant_type: 'refresh_token',
          refresh_token: refreshToken,
        }),
      );
      const parsed = refreshSchema.safeParse(answer);
      if (!parsed.success) throw new SlackError('unreadable', { outcome: 'unknown' });
      const { access_token: token, refresh_token: next, expires_in: seconds, team, enterprise } = parsed.data;
      return { token, refreshToken: next, livesMs: seconds * 1_000, of: team?.id ?? enterprise?.id };
    },
    revoke: async (token) => {
      const web = as(token);
      await asked(web.auth.revoke());
    },
    workspaces: async (token) => {
      const web = as(token);
      const ids: string[] = [];
      for (let cursor = '', pages = 0; pages < MAX_PAGES; pages++) {
        const asking = web.auth.teams.list({ limit: PAGE_SIZE, ...(cursor === '' ? {} : { cursor }) });
        const answer = workspacesSchema.safeParse(await asked(asking));
        if (!answer.success) break;
        ids.push(...answer.data.teams.map(({ id }) => id));
        cursor = answer.data.response_metadata?.next_cursor ?? '';
        if (cursor === '') return ids;
      }
      // A part of them must not be taken for all.
      throw new SlackError('unreadable', { outcome: 'not-done' });
    },
    isRevoked: async (token) => {
      try {
        const web = as(token);
        await asked(web.auth.test());
        return false;
      } catch (error) {
        const { code } = slackErrorOf(error);
        if (isRevokedToken(code)) return true;
        return isRefusedToken(code) ? false : undefined;
      }
    },
  };
}

async function asked<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw slackErrorOf(error);
  }
}
