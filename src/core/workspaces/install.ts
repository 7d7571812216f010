import type { InstallOptions, NewInstallation } from '../../platform/slack/install.ts';
import type { InstallationStore } from './installation-store.ts';
import { installationId } from './installation.ts';
import type { Tokens } from './tokens.ts';
import type { Base } from '../base.ts';

export interface InstallerDeps extends Pick<Base, 'log'> {
  readonly store: Pick<InstallationStore, 'store' | 'useConsent'>;
  readonly tokens: Pick<Tokens, 'forget'>;
  /** Ids of the workspaces and organizations that may install the bot. */
  readonly allowed: ReadonlySet<string>;
  /** Redis' clock, Unix ms. */
  readonly now: () => number;
}

/** Decides which installation is kept, and keeps it. */
export function createInstaller(deps: InstallerDeps): Pick<InstallOptions, 'refuse' | 'keep' | 'useState'> {
  const { store, tokens, allowed, now, log } = deps;
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
