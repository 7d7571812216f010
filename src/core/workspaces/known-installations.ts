import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import { SealError } from '../../platform/secrets/keyring.ts';
import type { Installation } from './installation.ts';
import type { InstallationStore } from './installation-store.ts';

/** How long what was read counts, and when a token is refreshed. */
export interface KnownTimings {
  /** How long before its end a token is refreshed. Time for somebody to install the bot again where that is refused. */
  readonly refreshBeforeMs: number;
  /** How long a token is used without a look at what is stored. */
  readonly rememberMs: number;
  /** The same while it is to be refreshed. */
  readonly rememberDueMs: number;
}

/** What one process knows of the installations. */
export interface KnownInstallations {
  /** What was read a short while ago and can be used. */
  recent(teamId: string): Installation | undefined;
  /** What is stored, or while Redis is away what was read last. Throws SealError for what can't be decrypted. */
  read(teamId: string): Promise<Installation | undefined>;
  remember(installation: Installation): void;
  /** Whether its token can be used: its time isn't over, and Slack hasn't refused it. */
  isUsable(installation: Installation): boolean;
  /** Whether its token is to be refreshed. */
  isDue(installation: Installation): boolean;
  /** Slack refused this token. */
  refused(teamId: string, token: string): void;
  forget(teamId: string): void;
  /** Why a workspace lost its token or soon will, as codes by workspace. */
  faults(): ReadonlyMap<string, string>;
}

/** `now`: Redis' clock, Unix ms. */
export function createKnownInstallations(
  store: Pick<InstallationStore, 'find'>,
  timings: KnownTimings,
  now: () => number,
): KnownInstallations {
  const known = new Map<string, { readonly installation: Installation; readonly until: number }>();
  /** The token that Slack refused last in each workspace, whatever its time says. */
  const refusedTokens = new Map<string, string>();
  /** Why what is stored of a workspace can't be decrypted. */
  const sealed = new Map<string, string>();

  const isUsable = ({ teamId, token, rotation }: Installation): boolean =>
    rotation === undefined || (refusedTokens.get(teamId) !== token && now() < rotation.expiresAt);
  const isDue = (one: Installation): boolean =>
    one.rotation !== undefined &&
    one.refused === undefined &&
    (!isUsable(one) || now() >= one.rotation.expiresAt - timings.refreshBeforeMs);
  const remember = (installation: Installation): void => {
    const forMs = isDue(installation) ? timings.rememberDueMs : timings.rememberMs;
    known.set(installation.teamId, { installation, until: now() + forMs });
  };
  const find = async (teamId: string): Promise<Installation | undefined> => {
    try {
      return await store.find(teamId);
    } catch (error) {
      if (error instanceof SealError) sealed.set(teamId, error.code);
      throw error;
    }
  };
  return {
    isUsable,
    isDue,
    remember,
    recent: (teamId) => {
      const kept = known.get(teamId);
      return kept && now() < kept.until && isUsable(kept.installation) ? kept.installation : undefined;
    },
    read: async (teamId) => {
      const kept = known.get(teamId)?.installation;
      const found = await (kept ? unlessRedisIsAway(find(teamId), kept) : find(teamId));
      sealed.delete(teamId);
      if (!found) known.delete(teamId);
      else if (found !== kept) remember(found);
      return found;
    },
    refused: (teamId, token) => {
      // Once for each token: one that Slack goes on refusing is no reason to read it again for each call.
      if (refusedTokens.get(teamId) === token) return;
      refusedTokens.set(teamId, token);
      known.delete(teamId);
    },
    forget: (teamId) => {
      known.delete(teamId);
      refusedTokens.delete(teamId);
    },
    faults: () => {
      const lost = [...known.values()].flatMap(({ installation: { teamId, refused } }): [string, string][] =>
        refused ? [[teamId, refused.code]] : [],
      );
      return new Map([...sealed, ...lost]);
    },
  };
}
