import { readStored, toStored } from '../../platform/redis/stored.ts';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { commit } from '../records/commit.ts';
import { holds } from '../records/conditions.ts';
import { field, file, unfield, unfile } from '../records/writes.ts';
import { idOf } from '../../platform/id.ts';
import { MINUTE_MS } from '../../platform/time/duration.ts';
import { type Keyring, SealError } from '../../platform/secrets/keyring.ts';
import { type Installation, installationSchema } from './installation.ts';
import { workspaceKeys } from './keys.ts';

/**
 * The installations by workspace. Each is one encrypted text, bound to its workspace. A workspace that isn't on the
 * list of those that may install the bot counts as one without an installation.
 */
export interface InstallationStore {
  /** Writes an installation in place of whatever the workspace had. Throws for a workspace that isn't on the list. */
  store(installation: Installation): Promise<void>;
  /**
   * The installation of a workspace; one that was encrypted under an older key is encrypted again. Throws SealError for
   * one that can't be decrypted.
   */
  find(teamId: string): Promise<Installation | undefined>;
  /**
   * Moves an installation by a pure step, again from the start whenever somebody else moved it meanwhile. Gives it as it
   * is then; undefined where there is none or the step did not apply.
   */
  change(
    teamId: string,
    step: (installation: Installation) => Installation | undefined,
  ): Promise<Installation | undefined>;
  /**
   * Erases the installation of a workspace, also one that can't be decrypted, and counts the workspace as leaving until it is
   * forgotten or installs the bot again. False where there was none.
   */
  remove(teamId: string): Promise<boolean>;
  /** Uses a consent up, by its state. False where it was used before, by whoever. */
  useConsent(state: string): Promise<boolean>;
  /** The workspaces with an installation, by their ids in order. */
  list(): Promise<string[]>;
  /** The workspaces that removed the bot, and when in Redis' time (Unix ms). */
  listLeaving(): Promise<readonly Leaving[]>;
  /** Nothing is kept of a workspace any more. */
  forget(teamId: string): Promise<void>;
}

/** A workspace that removed the bot. */
export interface Leaving {
  readonly teamId: string;
  /** Redis' time, Unix ms. */
  readonly since: number;
}

/** Longer than a state counts. */
const CONSENT_KEPT_MS = 11 * MINUTE_MS;

/** `allowed`: ids of the workspaces that may have an installation. */
export function createInstallationStore(
  redis: RedisConnection,
  keyring: Keyring,
  allowed: ReadonlySet<string>,
): InstallationStore {
  const write = async (teamId: string, read: string, next: Installation): Promise<boolean> => {
    const sealed = keyring.seal(toStored(next), teamId);
    const { result } = await commit<'moved'>(redis, {
      // No two encrypted texts are the same, so that the text itself says which version was read.
      if: [holds(workspaceKeys.installations, teamId, read, 'moved')],
      write: [field(workspaceKeys.installations, teamId, sealed)],
      // Slack takes a refreshed token once, and the one before no more.
      survives: true,
    });
    return result === 'written';
  };
  const read = async (teamId: string): Promise<Read | undefined> => {
    if (!allowed.has(teamId)) return undefined;
    const sealed = await redis.hget(workspaceKeys.installations, teamId);
    if (typeof sealed !== 'string') return undefined;
    const { text, isUnderFirstKey } = keyring.open(sealed, teamId);
    return { sealed, installation: parse(text), isUnderFirstKey };
  };
  return {
    store: async (installation) => {
      const { teamId } = installation;
      if (!allowed.has(teamId))
        throw new Error('this workspace is not on the list of those that may install');
      const sealed = keyring.seal(toStored(installation), teamId);
      const { installations, leaving } = workspaceKeys;
      await commit(redis, {
        write: [field(installations, teamId, sealed), unfile(leaving, teamId)],
        survives: true,
      });
    },
    find: async (teamId) => {
      const found = await read(teamId);
      if (found && !found.isUnderFirstKey)
        await unlessRedisIsAway(write(teamId, found.sealed, found.installation), false);
      return found?.installation;
    },
    change: async (teamId, step) => {
      for (;;) {
        const found = await read(teamId);
        const next = found && step(found.installation);
        if (!found || next === undefined) return undefined;
        if (await write(teamId, found.sealed, next)) return next;
      }
    },
    remove: async (teamId) => {
      const { installations, leaving } = workspaceKeys;
      for (;;) {
        const sealed = await redis.hget(installations, teamId);
        if (sealed === null) return false;
        const [seconds] = await redis.time();
        const { result } = await commit<'moved'>(redis, {
          if: [holds(installations, teamId, sealed, 'moved')],
          write: [unfield(installations, teamId), file(leaving, teamId, Number(seconds) * 1_000)],
        });
        if (result === 'written') return true;
      }
    },
    useConsent: async (state) =>
      (await redis.set(workspaceKeys.consent(idOf(state)), '1', 'PX', CONSENT_KEPT_MS, 'NX')) === 'OK',
    list: async () => {
      const teamIds = await redis.hkeys(workspaceKeys.installations);
      return teamIds.filter((teamId) => allowed.has(teamId)).toSorted();
    },
    listLeaving: async () => {
      const teamIds = await redis.zrange(workspaceKeys.leaving, '0', '-1');
      const since = await Promise.all(teamIds.map((teamId) => redis.zscore(workspaceKeys.leaving, teamId)));
      return teamIds.map((teamId, index) => ({ teamId, since: Number(since[index] ?? 0) }));
    },
    forget: async (teamId) => {
      await redis.zrem(workspaceKeys.leaving, teamId);
    },
  };
}

interface Read {
  /** As it stands in Redis. */
  readonly sealed: string;
  readonly installation: Installation;
  readonly isUnderFirstKey: boolean;
}

/** Its words never hold the text: what zod says of a value may quote it. */
function parse(text: string): Installation {
  try {
    return readStored(installationSchema, text);
  } catch {
    throw new SealError('unreadable', 'it was decrypted, and is no installation');
  }
}
