import type { WebClient } from '@slack/web-api';
import { z } from 'zod';

/** Who the bot is in Slack, asked once and remembered. */
export interface Identity {
  /** The workspace the bot is installed in. Throws while Slack can't be reached. */
  teamId(): Promise<string>;
  /** What is known without asking. */
  known(): { teamId: string; botId: string | undefined; botUserId: string } | undefined;
}

const answerSchema = z.object({ team_id: z.string(), user_id: z.string(), bot_id: z.string().optional() });

/** One auth.test for the life of the process; asked again only while it fails. */
export function createIdentity(web: WebClient): Identity {
  let known: ReturnType<Identity['known']>;
  let underWay: Promise<string> | undefined;
  const ask = async (): Promise<string> => {
    const answer = answerSchema.parse(await web.auth.test());
    known = { teamId: answer.team_id, botId: answer.bot_id, botUserId: answer.user_id };
    return known.teamId;
  };
  return {
    teamId: () => {
      if (known) return Promise.resolve(known.teamId);
      underWay ??= ask().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
    known: () => known,
  };
}
