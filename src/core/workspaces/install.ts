import type { InstallOptions, NewInstallation } from '../../platform/slack/install.ts';
import type { InstallationStore } from './installation-store.ts';
import { installationId } from './installation.ts';
import type { Tokens } from './tokens.ts';
import type { Base } from '../base.ts';

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
