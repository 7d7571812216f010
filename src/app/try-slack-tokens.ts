import type { Logger } from '@slack/bolt';
import type { FetchFunction } from '@slack/web-api';
import { createWebClient } from '../platform/slack/bolt.ts';
import { isRefusal, slackErrorOf } from '../platform/slack/errors.ts';
import { createIdentity, type Identity } from '../platform/slack/identity.ts';
import type { Config } from './config/config.ts';

export interface TrySlackTokensDeps {
  /** Who the bot is, as far as that is known. */
  readonly identity: () => ReturnType<Identity['known']>;
  readonly timeoutMs: number;
  readonly logger: Logger;
  readonly fetch: FetchFunction;
}

/**
 * Gives why a token of `next` can't take the place of that in `now`, by its name; nothing for those that can, or that are the same.
 * Never throws.
 */
export type TrySlackTokens = (
  now: Config,
  next: Config,
) => Promise<Readonly<Partial<Record<'botToken' | 'appToken', string>>>>;

const NO_ANSWER = "I can't check the new one, since Slack doesn't answer as it should";

export function createTrySlackTokens({
  identity: known,
  timeoutMs,
  logger,
  fetch,
}: TrySlackTokensDeps): TrySlackTokens {
  const why = async (doing: Promise<string | undefined>): Promise<string | undefined> =>
    doing.catch((error: unknown) => {
      const fault = slackErrorOf(error);
      return isRefusal(fault) ? `Slack refuses the new one (${fault.code})` : NO_ANSWER;
    });
  return async (now, next) => {
    const { botToken, appToken, apiUrl } = next.slack;
    const clientOf = (token: string) => createWebClient(token, { apiUrl, timeoutMs, logger, fetch });
    const ofBot = async (): Promise<string | undefined> => {
      const identity = createIdentity(clientOf(botToken));
      await identity.workspace();
      const [mine, its] = [known(), identity.known()];
      const isSame = !mine || (mine.teamId === its?.teamId && mine.botUserId === its.botUserId);
      return isSame ? undefined : 'the new one is of another workspace or of another app';
    };
    const ofApp = async (token: string): Promise<undefined> => {
      await clientOf(token).apps.connections.open();
    };
    const [bot, app] = await Promise.all([
      botToken === now.slack.botToken ? undefined : why(ofBot()),
      appToken === undefined || appToken === now.slack.appToken ? undefined : why(ofApp(appToken)),
    ]);
    return {
      ...(bot === undefined ? {} : { botToken: `SLACK_BOT_TOKEN: ${bot}` }),
      ...(app === undefined ? {} : { appToken: `SLACK_APP_TOKEN: ${app}` }),
    };
  };
}
