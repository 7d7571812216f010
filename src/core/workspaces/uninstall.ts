import type { Log } from '../../platform/log/log.ts';
import { SealError } from '../../platform/secrets/keyring.ts';
import type { OAuthClient } from '../../platform/slack/oauth-client.ts';
import type { Installation } from './installation.ts';
import type { InstallationStore } from './installation-store.ts';
import type { Tokens } from './tokens.ts';

export interface UninstallDeps {
  readonly store: Pick<InstallationStore, 'find' | 'remove'>;
  readonly tokens: Pick<Tokens, 'forget'>;
  readonly oauth: Pick<OAuthClient, 'isTaken'>;
  readonly log: Log;
}

/**
 * Erases the installation of a workspace where Slack says that the app was removed from it or that its bot token was
 * revoked. `at`: when Slack says that it was, Unix ms. Such word may come late: nothing is erased where the bot was
 * installed after it, or where Slack still takes the token. Gives whether something was erased. Throws what Redis throws.
 */
export type Erased = (teamId: string, at: number) => Promise<boolean>;

/** Slack gives times in whole seconds. */
const SECOND_MS = 1_000;

export function createUninstall({ store, tokens, oauth, log }: UninstallDeps): Erased {
  return async (teamId, at) => {
    const found = await findOrUnreadable(store, teamId);
    if (found && (found.installedAt >= at + SECOND_MS || (await oauth.isTaken(found.token)) === true)) {
      log.info({ team: teamId }, 'heard of an earlier uninstall; the bot is installed again');
      return false;
    }
    const isErased = await store.remove(teamId);
    tokens.forget(teamId);
    if (isErased) log.info({ team: teamId }, 'uninstalled from a workspace, and erased its installation');
    return isErased;
  };
}

/** What can't be decrypted is erased like what isn't there. */
async function findOrUnreadable(
  store: UninstallDeps['store'],
  teamId: string,
): Promise<Installation | undefined> {
  try {
    return await store.find(teamId);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
