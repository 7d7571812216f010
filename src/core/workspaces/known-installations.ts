import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import { SealError } from '../../platform/secrets/keyring.ts';
import { type Installation, installationId } from './installation.ts';
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

/** What one process knows of the installations, each by the id of the workspace or organization that it was asked for by. */
export interface KnownInstallations {
  /** What was read a short while ago and can be used. */
  recent(id: string): Installation | undefined;
  /** What is stored, or while Redis is away what was read last. Throws SealError for what can't be decrypted. */
  read(id: string): Promise<Installation | undefined>;
  /** What was asked for by an id is this now. */
  remember(id: string, installation: Installation): void;
  /** Whether its token can be used: its time isn't over, and Slack hasn't refused it. */
  isUsable(installation: Installation): boolean;
  /** Whether its token is to be refreshed. */
  isDue(installation: Installation): boolean;
  /** Slack refused this token. */
  refused(id: string, token: string): void;
  forget(id: string): void;
  /** Why a workspace or an organization lost its token or soon will, as codes by their ids. */
  faults(): ReadonlyMap<string, string>;
}

/** `now`: Redis' clock, Unix ms. */
export function createKnownInstallations(
  store: Pick<InstallationStore, 'find'>,
  timings: KnownTimings,
  now: () => number,
): KnownInstallations {
  const known = new Map<string, { readonly installation: Installation; readonly until: number }>();
  /** The token of each installation that Slack refused last, whatever its time says. */
  const refusedTokens = new Map<string, string>();
  /** Why what is stored of a workspace can't be decrypted. */
  const sealed = new Map<string, string>();

  const isUsable = (one: Installation): boolean =>
    one.rotation === undefined ||
    (refusedTokens.get(installationId(one)) !== one.token && now() < one.rotation.expiresAt);
  const isDue = (one: Installation): boolean =>
    one.rotation !== undefined &&
    one.refused === undefined &&
    (!isUsable(one) || now() >= one.rotation.expiresAt - timings.refreshBeforeMs);
  const remember = (id: string, installation: Installation): void => {
    const forMs = isDue(installation) ? timings.rememberDueMs : timings.rememberMs;
    known.set(id, { installation, until: now() + forMs });
  };
  const find = async (id: string): Promise<Installation | undefined> => {
    try {
      return await store.find(id);
    } catch (error) {
      if (error instanceof SealError) sealed.set(id, error.code);
      throw error;
    }
  };
  return {
    isUsable,
    isDue,
    remember,
    recent: (id) => {
      const kept = known.get(id);
      return kept && now() < kept.until && isUsable(kept.installation) ? kept.installation : undefined;
    },
    read: async (id) => {
      const kept = known.get(id)?.installation;
      const found = await (kept ? unlessRedisIsAway(find(id), kept) : find(id));
      sealed.delete(id);
      if (!found) known.delete(id);
      else if (found !== kept) remember(id, found);
      return found;
    },
    refused: (id, token) => {
      const kept = known.get(id)?.installation;
      const of = kept ? installationId(kept) : id;
      // Once for each token: one that Slack goes on refusing is no reason to read it again for each call.
      if (refusedTokens.get(of) === token) return;
      refusedTokens.set(of, token);
      known.delete(id);
    },
    forget: (id) => {
      known.delete(id);
      refusedTokens.delete(id);
    },
    faults: () => {
      const lost = [...known.values()].flatMap(({ installation }): [string, string][] =>
        installation.refused ? [[installationId(installation), installation.refused.code]] : [],
      );
      return new Map([...sealed, ...lost]);
    },
  };
}
