import type { InstallOptions, NewInstallation } from '../../platform/slack/install.ts';
import type { InstallationStore } from './installation-store.ts';
import { installationId, type Installation } from './installation.ts';
import type { Tokens } from './tokens.ts';
import type { Base } from '../base.ts';
import { SealError } from '../../platform/secrets/keyring.ts';
import type { OAuthClient } from '../../platform/slack/oauth-client.ts';

/** Decides which installation is kept, and keeps it. `allowed`: ids of those that may install the bot; `now`: Redis' clock, Unix ms. */
export function createInstaller({
  store,
  tokens,
  allowed,
  now,
  log,
}: Pick<Base, 'log'> & {
  readonly store: InstallationStore;
  readonly tokens: Tokens;
  readonly allowed: ReadonlySet<string>;
  readonly now: () => number;
}): Pick<InstallOptions, 'refuse' | 'keep' | 'useState'> {
  return {
    useState: store.useConsent,
    refuse: (given) => {
      const why = refusalOf(given, allowed);
      if (why !== undefined)
        log.warn({ team: given.teamId ?? given.enterpriseId, by: given.installedBy }, 'refused an install');
      return why;
    },
    keep: async (given) => {
      const id = installationId(given);
      if (refusalOf(given, allowed) !== undefined) throw new Error('a refused installation was to be kept');
      await store.store(toInstallation(given, now()));
      tokens.forget(id);
      log.info({ team: id, by: given.installedBy }, 'installed');
    },
  };
}

function refusalOf(
  { teamId, enterpriseId }: Pick<NewInstallation, 'teamId' | 'enterpriseId'>,
  allowed: ReadonlySet<string>,
): string | undefined {
  const isListed = (id: string | undefined, kind: string): boolean =>
    id !== undefined && id.startsWith(kind) && allowed.has(id);
  if (teamId === undefined && !isListed(enterpriseId, 'E'))
    return 'This organization is not on the list of those that may install it. Ask the people who run it to add it, or install it in one workspace.';
  if (teamId !== undefined && !isListed(teamId, 'T'))
    return 'This workspace is not on the list of those that may install it. Ask the people who run it to add it.';
  return undefined;
}

function toInstallation(given: NewInstallation, at: number) {
  const { teamId, teamName, enterpriseId, appId, botId, botUserId, scopes, token, rotation } = given;
  return {
    teamId,
    teamName,
    enterpriseId,
    appId,
    botId,
    botUserId,
    scopes: [...scopes],
    token,
    ...(rotation
      ? { rotation: { refreshToken: rotation.refreshToken, expiresAt: at + rotation.livesMs } }
      : {}),
    installedBy: given.installedBy,
    installedAt: at,
  };
}

/**
 * Erases the installation of a workspace or an organization, by its id, where Slack says that the app was removed from it or that its
 * bot token was revoked. Where Slack names a workspace and the installation is its organization's, nothing is erased: that one serves other
 * workspaces too. `at`: when Slack says that it was, Unix ms. Such word may come late: nothing is erased where the bot was
 * installed after it, or where Slack says anything else of the token than that it was revoked. Gives whether something was erased. Throws
 * what Redis throws.
 */
export type Erased = (id: string, at: number) => Promise<boolean>;

/** Slack gives times in whole seconds. */
const SECOND_MS = 1_000;

export function createUninstall({
  store,
  tokens,
  oauth,
  log,
}: Pick<Base, 'log'> & {
  readonly store: InstallationStore;
  readonly tokens: Tokens;
  readonly oauth: OAuthClient;
}): Erased {
  const mayCount = async ({ token, installedAt }: Installation, at: number): Promise<boolean> =>
    installedAt >= at + SECOND_MS || (await oauth.isRevoked(token)) === false;
  return async (id, at) => {
    const found = await findOrUnreadable(store, id);
    if (found && installationId(found) !== id) {
      tokens.forget(id);
      log.info({ team: id }, 'heard of an uninstall of a workspace; the bot stays in its organization');
      return false;
    }
    if (found && (await mayCount(found, at))) {
      log.info({ team: id }, 'heard of an uninstall, which the token denies: the bot stays installed');
      return false;
    }
    const isErased = await store.remove(id);
    tokens.forget(id);
    if (isErased) log.info({ team: id }, 'uninstalled, and erased the installation');
    return isErased;
  };
}

/** What can't be decrypted is erased like what isn't there. */
async function findOrUnreadable(store: InstallationStore, id: string): Promise<Installation | undefined> {
  try {
    return await store.find(id);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
