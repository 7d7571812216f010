import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { SlackError } from './errors.ts';

/** Where the bot is installed. `enterpriseId`: of the organization that the workspace belongs to, if any. */
export interface Workspace {
  readonly teamId: string;
  readonly enterpriseId?: string;
}

/** Who the bot is in Slack, asked once and remembered. */
export interface Identity {
  /** Throws while Slack can't be reached, and SlackError `org_wide_token` for a token of no one workspace. */
  workspace(): Promise<Workspace>;
  /** What is known without asking. */
  known():
    | { teamId: string; botId: string | undefined; botUserId: string; url: string | undefined }
    | undefined;
}

const answerSchema = z.object({
  team_id: z.string(),
  enterprise_id: z.string().optional(),
  is_enterprise_install: z.boolean().optional(),
  user_id: z.string(),
  bot_id: z.string().optional().catch(undefined),
  /** The workspace's own address; links to messages begin with it. */
  url: z
    .string()
    .regex(/^https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)*\.slack(-gov)?\.com\/$/)
    .optional()
    .catch(undefined),
});

export const ORG_WIDE_TOKEN = 'org_wide_token';

/**
 * One auth.test for the life of the process; asked again only while it fails. A token of a whole organization is one of the
 * workspace `ours`, which the client names in its calls.
 */
export function createIdentity(web: WebClient, ours?: string): Identity {
  let known: (Workspace & NonNullable<ReturnType<Identity['known']>>) | undefined;
  let underWay: Promise<Workspace> | undefined;
  const ask = async (): Promise<Workspace> => {
    const answer = answerSchema.parse(await web.auth.test());
    const isOrgWide = answer.is_enterprise_install === true || answer.team_id.startsWith('E');
    const teamId = isOrgWide ? ours : answer.team_id;
    if (teamId === undefined) throw new SlackError(ORG_WIDE_TOKEN, { outcome: 'not-done', dead: true });
    known = {
      teamId,
      ...(answer.enterprise_id ? { enterpriseId: answer.enterprise_id } : {}),
      botId: answer.bot_id,
      botUserId: answer.user_id,
      url: answer.url,
    };
    return known;
  };
  return {
    workspace: () => {
      if (known) return Promise.resolve(known);
      underWay ??= ask().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
    known: () => known,
  };
}
