import type { Logger } from '@slack/bolt';
import type { FetchFunction } from '@slack/web-api';
import { z } from 'zod';
import { createWebClient } from './bolt.ts';
import { isRefusedToken, SlackError, slackErrorOf } from './errors.ts';

/** A bot token that a refresh gave, and what gives the next one. */
export interface RefreshedToken {
  readonly token: string;
  readonly refreshToken: string;
  readonly livesMs: number;
  /** Undefined where Slack doesn't say. */
  readonly teamId: string | undefined;
}

/** What is asked of Slack as the app, and about tokens that aren't in use yet or any more. */
export interface OAuthClient {
  /** Uses a refresh token up. Throws SlackError only. */
  refresh(refreshToken: string): Promise<RefreshedToken>;
  /** Makes a token useless. Throws SlackError only. */
  revoke(token: string): Promise<void>;
  /** Whether Slack takes a token; undefined where it doesn't say. */
  isTaken(token: string): Promise<boolean | undefined>;
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
});

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
      const { access_token: token, refresh_token: next, expires_in: seconds, team } = parsed.data;
      return { token, refreshToken: next, livesMs: seconds * 1_000, teamId: team?.id };
    },
    revoke: async (token) => {
      const web = as(token);
      await asked(web.auth.revoke());
    },
    isTaken: async (token) => {
      try {
        const web = as(token);
        await asked(web.auth.test());
        return true;
      } catch (error) {
        return isRefusedToken(slackErrorOf(error).code) ? false : undefined;
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
