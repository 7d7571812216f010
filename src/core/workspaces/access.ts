import { newId } from '../../platform/id.ts';
import { takeLock } from '../../platform/redis/lock.ts';
import type { OAuthClient } from '../../platform/slack/oauth-client.ts';
import type { InstallationStore } from './installation-store.ts';
import { workspaceKeys } from './installation.ts';
import type { Tokens } from './tokens.ts';
import type { Message } from '../../platform/slack/message.ts';
import { say } from '../../platform/slack/phrase.ts';
import type { Base } from '../base.ts';

/** Slack lists an organization's workspaces about twenty times a minute; all processes together ask it once. */
const ASK_EVERY_MS = 60_000;

/** Which workspaces the admins of organizations let the bot work in, as Slack lists them: its events may be missed, or come late. */
export interface Access {
  /** The organizations of which Slack hasn't been asked for a while by any process. Throws what Redis throws. */
  due(): Promise<readonly string[]>;
  /**
   * Asks Slack for the workspaces of one, and writes them down. `revoked`: those of which Slack says that they were taken away.
   * Throws SlackError where Slack doesn't list them, and what Redis throws.
   */
  ask(enterpriseId: string, revoked?: readonly string[]): Promise<void>;
  /** The same of each organization, whenever it was asked last. */
  askAll(revoked?: readonly string[]): Promise<void>;
}

export function createAccess({
  store,
  tokens,
  oauth,
  redis,
}: Pick<Base, 'redis'> & {
  readonly store: InstallationStore;
  readonly tokens: Pick<Tokens, 'of'>;
  readonly oauth: Pick<OAuthClient, 'workspaces'>;
}): Access {
  const ask: Access['ask'] = async (enterpriseId, revoked = []) => {
    const teamIds = await oauth.workspaces(await tokens.of(enterpriseId));
    await store.listed(enterpriseId, { teamIds, revoked: new Set(revoked) });
  };
  return {
    ask,
    askAll: async (revoked) => {
      const all = await store.organizations();
      await Promise.all(all.map((enterpriseId) => ask(enterpriseId, revoked)));
    },
    due: async () => {
      const all = await store.organizations();
      const free = await Promise.all(
        all.map((enterpriseId) => takeLock(redis, workspaceKeys.asked(enterpriseId), newId(), ASK_EVERY_MS)),
      );
      return all.filter((_, index) => free[index]);
    },
  };
}

/** Something was asked from a workspace that has removed the bot, or never had it. */
export function notInstalled(): Message {
  return { lines: [say`I'm not installed in this workspace, so nothing was done.`] };
}

/** Nobody can tell now whether it is installed there. */
export function notKnown(): Message {
  return {
    lines: [
      say`I can't tell right now whether I'm installed in this workspace, so nothing was done. Try again in a minute.`,
    ],
  };
}
