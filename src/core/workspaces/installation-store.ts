import { readStored, toStored } from '../../platform/redis/stored.ts';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { commit, field, file, remove, unfield, unfile, type Write } from '../records/commit.ts';
import { holds, filed } from '../records/conditions.ts';
import { idOf } from '../../platform/id.ts';
import { MINUTE_MS } from '../../platform/time/duration.ts';
import { type Keyring, SealError } from '../../platform/secrets/keyring.ts';
import { createGrantedStore, type Listed } from './granted-store.ts';
import { type Installation, installationId, installationSchema, workspaceKeys } from './installation.ts';

/**
 * The installations by workspace (`T…`) or organization (`E…`). Each is one encrypted text, bound to its id. One that isn't on the
 * list of those that may install the bot counts as one without an installation. A workspace without an installation of its own has
 * that of its organization, where Slack lets it be used there.
 */
export interface InstallationStore {
  /** Writes an installation in place of whatever stood under its id. Throws for an id that isn't on the list. */
  store(installation: Installation): Promise<void>;
  /**
   * The installation that counts for an id; one that was encrypted under an older key is encrypted again. Throws SealError for
   * one that can't be decrypted.
   */
  find(id: string): Promise<Installation | undefined>;
  /**
   * Moves an installation by a pure step, again from the start whenever somebody else moved it meanwhile. Gives it as it
   * is then; undefined where there is none or the step did not apply. That of an organization moves by its own id alone.
   */
  change(
    id: string,
    step: (installation: Installation) => Installation | undefined,
  ): Promise<Installation | undefined>;
  /**
   * Erases the installation under an id, also one that can't be decrypted, and counts each workspace in which the bot has none any more as
   * leaving until it is forgotten or installs the bot again. False where there was none.
   */
  remove(id: string): Promise<boolean>;
  /** Uses a consent up, by its state. False where it was used before, by whoever. */
  useConsent(state: string): Promise<boolean>;
  /** The workspaces for which an installation counts, by their ids in order. */
  list(): Promise<string[]>;
  /** The organizations with an installation. */
  organizations(): Promise<readonly string[]>;
  /** Slack has listed the workspaces in which an organization's installation may be used. */
  listed(enterpriseId: string, listed: Omit<Listed, 'others'>): Promise<void>;
  /** The workspaces that removed the bot, and when in Redis' time (Unix ms). */
  listLeaving(): Promise<readonly LeavingWorkspace[]>;
  /** Erases these keys of a workspace that removed the bot; false where it has installed it again, and they are its own. */
  erase(teamId: string, keys: readonly string[]): Promise<boolean>;
  /** Nothing is kept of a workspace any more. */
  forget(teamId: string): Promise<void>;
}

/** A workspace that removed the bot. */
export interface LeavingWorkspace {
  readonly teamId: string;
  /** Redis' time, Unix ms. */
  readonly since: number;
}

/** Longer than a state counts. */
const CONSENT_KEPT_MS = 11 * MINUTE_MS;

/** `allowed`: ids of the workspaces and organizations that may have an installation. */
export function createInstallationStore(
  redis: RedisConnection,
  keyring: Keyring,
  allowed: ReadonlySet<string>,
): InstallationStore {
  const granted = createGrantedStore(redis);
  const { read, write, own } = createSealed(redis, keyring, allowed);
  const readOfOrganization = async (teamId: string): Promise<ReadInstallation | undefined> => {
    const enterpriseId = await granted.organizationOf(teamId);
    return enterpriseId === undefined ? undefined : read(enterpriseId);
  };
  /** What is written of the workspaces in which there is no installation any more without that of an id. */
  const leftBy = async (id: string, now: number): Promise<readonly Write[]> => {
    if (!id.startsWith('T')) return granted.withoutOrganization(id, new Set(await own()), now);
    // Where its organization's installation counts from now on, the bot goes on with what it kept.
    const goesOn = (await readOfOrganization(id)) !== undefined;
    return goesOn ? [] : [file(workspaceKeys.leaving, id, now)];
  };
  return {
    store: async (installation) => {
      const id = installationId(installation);
      if (!allowed.has(id)) throw new Error('this workspace is not on the list of those that may install');
      const sealed = keyring.seal(toStored(installation), id);
      await commit(redis, {
        write: [field(workspaceKeys.installations, id, sealed), unfile(workspaceKeys.leaving, id)],
        survives: true,
      });
    },
    find: async (id) => {
      const found = (await read(id)) ?? (await readOfOrganization(id));
      if (found && !found.isUnderFirstKey)
        await unlessRedisIsAway(write(found.sealed, found.installation), false);
      return found?.installation;
    },
    change: async (id, step) => {
      for (;;) {
        const found = await read(id);
        const next = found && step(found.installation);
        if (!found || next === undefined) return undefined;
        if (await write(found.sealed, next)) return next;
      }
    },
    remove: async (id) => {
      const { installations } = workspaceKeys;
      for (;;) {
        const sealed = await redis.hget(installations, id);
        if (sealed === null) return false;
        const now = await timeOf(redis);
        const { result } = await commit<'moved'>(redis, {
          if: [holds(installations, id, sealed, 'moved')],
          write: [unfield(installations, id), ...(await leftBy(id, now))],
        });
        if (result === 'written') return true;
      }
    },
    useConsent: async (state) =>
      (await redis.set(workspaceKeys.consent(idOf(state)), '1', 'PX', CONSENT_KEPT_MS, 'NX')) === 'OK',
    list: async () => {
      const [ids, grants] = await Promise.all([own(), granted.list()]);
      const over = grants.flatMap(([teamId, enterpriseId]) => (ids.includes(enterpriseId) ? [teamId] : []));
      return [...new Set([...ids.filter((id) => id.startsWith('T')), ...over])].toSorted();
    },
    organizations: async () => (await own()).filter((id) => id.startsWith('E')),
    listed: async (enterpriseId, { teamIds, revoked }) => {
      const { installations } = workspaceKeys;
      const sealed = await redis.hget(installations, enterpriseId);
      if (sealed === null) return;
      const listed = { teamIds, revoked, others: new Set(await own()) };
      const changes = await granted.asListed(enterpriseId, listed, await timeOf(redis));
      if (changes.length === 0) return;
      // Where it was moved meanwhile, or removed, the next look sees what is so then.
      const stands = holds(installations, enterpriseId, sealed, 'moved');
      await commit<'moved'>(redis, { if: [stands], write: changes });
    },
    listLeaving: () => listLeaving(redis),
    erase: (teamId, keys) => erase(redis, teamId, keys),
    forget: async (teamId) => void (await redis.zrem(workspaceKeys.leaving, teamId)),
  };
}

/** What stands encrypted under the ids on the list. */
function createSealed(
  redis: RedisConnection,
  keyring: Keyring,
  allowed: ReadonlySet<string>,
): {
  read(id: string): Promise<ReadInstallation | undefined>;
  /** False where the text `read` doesn't stand there any more. */
  write(read: string, next: Installation): Promise<boolean>;
  own(): Promise<readonly string[]>;
} {
  const write = async (read: string, next: Installation): Promise<boolean> => {
    const id = installationId(next);
    const sealed = keyring.seal(toStored(next), id);
    const { result } = await commit<'moved'>(redis, {
      // No two encrypted texts are the same, so that the text itself says which version was read.
      if: [holds(workspaceKeys.installations, id, read, 'moved')],
      write: [field(workspaceKeys.installations, id, sealed)],
      // Slack takes a refreshed token once, and the one before no more.
      survives: true,
    });
    return result === 'written';
  };
  const read = async (id: string): Promise<ReadInstallation | undefined> => {
    if (!allowed.has(id)) return undefined;
    const sealed = await redis.hget(workspaceKeys.installations, id);
    if (typeof sealed !== 'string') return undefined;
    const { text, isUnderFirstKey } = keyring.open(sealed, id);
    return { sealed, installation: parse(text), isUnderFirstKey };
  };
  /** The ids on the list that have an installation of their own. */
  const own = async (): Promise<readonly string[]> =>
    (await redis.hkeys(workspaceKeys.installations)).filter((id) => allowed.has(id));
  return { read, write, own };
}

interface ReadInstallation {
  /** As it stands in Redis. */
  readonly sealed: string;
  readonly installation: Installation;
  readonly isUnderFirstKey: boolean;
}

async function erase(redis: RedisConnection, teamId: string, keys: readonly string[]): Promise<boolean> {
  const { result } = await commit<'stays'>(redis, {
    if: [filed(workspaceKeys.leaving, teamId, 'stays')],
    write: keys.map(remove),
  });
  return result === 'written';
}

async function listLeaving(redis: RedisConnection): Promise<readonly LeavingWorkspace[]> {
  const teamIds = await redis.zrange(workspaceKeys.leaving, '0', '-1');
  const since = await Promise.all(teamIds.map((teamId) => redis.zscore(workspaceKeys.leaving, teamId)));
  return teamIds.map((teamId, index) => ({ teamId, since: Number(since[index] ?? 0) }));
}

/** Redis' clock, Unix ms, in whole seconds. */
async function timeOf(redis: RedisConnection): Promise<number> {
  const [seconds] = await redis.time();
  return Number(seconds) * 1_000;
}

/** Its words never hold the text: what zod says of a value may quote it. */
function parse(text: string): Installation {
  try {
    return readStored(installationSchema, text);
  } catch {
    throw new SealError('unreadable', 'it was decrypted, and is no installation');
  }
}
