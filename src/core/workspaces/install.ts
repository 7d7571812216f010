import type { Log } from '../../platform/log/log.ts';
import type { InstallOptions, NewInstallation } from '../../platform/slack/install.ts';
import type { InstallationStore } from './installation-store.ts';
import type { Tokens } from './tokens.ts';

export interface InstallerDeps {
  readonly store: Pick<InstallationStore, 'store' | 'useConsent'>;
  readonly tokens: Pick<Tokens, 'forget'>;
  /** Ids of the workspaces that may install the bot. */
  readonly allowed: ReadonlySet<string>;
  /** Redis' clock, Unix ms. */
  readonly now: () => number;
  readonly log: Log;
}

/** Decides which installation is kept, and keeps it. */
export function createInstaller(deps: InstallerDeps): Pick<InstallOptions, 'refuse' | 'keep' | 'useState'> {
  const { store, tokens, allowed, now, log } = deps;
  return {
    useState: store.useConsent,
    refuse: ({ teamId, installedBy }) => {
      const why = refusalOf(teamId, allowed);
      if (why !== undefined)
        log.warn({ team: teamId ?? 'organization', by: installedBy }, 'refused an install');
      return why;
    },
    keep: async (given) => {
      const { teamId } = given;
      if (teamId === undefined || !allowed.has(teamId))
        throw new Error('a refused installation was to be kept');
      await store.store(toInstallation({ ...given, teamId }, now()));
      tokens.forget(teamId);
      log.info({ team: teamId, by: given.installedBy }, 'installed in a workspace');
    },
  };
}

function refusalOf(teamId: string | undefined, allowed: ReadonlySet<string>): string | undefined {
  if (teamId === undefined || !teamId.startsWith('T'))
    return 'This was an installation for a whole organization. Install the app in one workspace at a time.';
  if (!allowed.has(teamId))
    return 'This workspace is not on the list of those that may install it. Ask the people who run it to add it.';
  return undefined;
}

function toInstallation(given: NewInstallation & { readonly teamId: string }, at: number) {
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
