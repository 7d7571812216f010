import { z } from 'zod';
import { newId } from '../id.ts';
import { unlessRedisIsAway } from '../redis/away.ts';
import type { RedisConnection } from '../redis/connection.ts';
import { key } from '../redis/key.ts';
import { keepLock, releaseLock, takeLock } from '../redis/lock.ts';
import { DAY_MS } from '../time/duration.ts';
import { incompleteSchema, instanceSchema } from './instance.ts';
import type { InstanceList } from './service.ts';

const snapshotKeys = {
  list: (account: string): string => key('instances', account),
  lease: (account: string): string => key('instances', account, 'lease'),
} as const;

const snapshotSchema = z.object({
  instances: z.array(instanceSchema),
  incomplete: incompleteSchema.optional(),
  leavesOut: z.string().optional(),
  /** How many calls it took. */
  pages: z.number(),
  /** When its reading began, in Redis' time, Unix ms. */
  readAtMs: z.number(),
});
/** The list of instances as one process read it for all of them. */
export type Snapshot = Pick<InstanceList, 'instances' | 'incomplete' | 'leavesOut'> &
  Readonly<Pick<z.output<typeof snapshotSchema>, 'pages' | 'readAtMs'>>;

/** The right to read the list for everybody. */
export interface Lease {
  /** Keeps it. False: somebody who comes first has taken it. */
  extend(): Promise<boolean>;
  release(): Promise<void>;
}

export interface SnapshotStore {
  /** The list as it was read last, by whichever process. Undefined where there is none, or Redis is away. */
  find(): Promise<Snapshot | undefined>;
  put(snapshot: Snapshot): Promise<void>;
  /**
   * Undefined while somebody else has it. Who is `yielding` loses it to anybody who isn't. Without Redis everybody has it.
   */
  lease(isYielding: boolean): Promise<Lease | undefined>;
}

/** An older list is no answer to anybody while the service can be asked. */
export const MAX_SNAPSHOT_AGE_MS = 900_000;
/** How long it is kept for when the service is down. */
const KEPT_MS = 7 * DAY_MS;
/** The process that holds it keeps it three times within that, so that one that is gone holds up the others no longer. */
const LEASE_MS = 3_000;
/** How the name of who gives way begins. */
const YIELDING = 'yielding:';

/** `account`: what tells the API key from another in Redis. */
export function createSnapshotStore(redis: RedisConnection, account: string): SnapshotStore {
  const listKey = snapshotKeys.list(account);
  const leaseKey = snapshotKeys.lease(account);
  let latest: { version: string; snapshot: Snapshot } | undefined;
  const read = async (): Promise<Snapshot | undefined> => {
    const version = await redis.hget(listKey, 'version');
    // Ten thousand instances take 25 ms to read, in which the process does nothing else: once for each reading of the service.
    if (version !== null && version === latest?.version) return latest.snapshot;
    const [found, list] = await redis.hmget(listKey, 'version', 'list');
    if (typeof found !== 'string' || typeof list !== 'string') return undefined;
    const parsed = snapshotSchema.safeParse(JSON.parse(list));
    // One of another version of the bot: as good as none.
    if (!parsed.success) return undefined;
    latest = { version: found, snapshot: parsed.data };
    return latest.snapshot;
  };
  const put = async (snapshot: Snapshot): Promise<void> => {
    const version = newId();
    await redis
      .multi()
      .hset(listKey, { version, list: JSON.stringify(snapshot) })
      .pexpire(listKey, KEPT_MS)
      .exec();
    latest = { version, snapshot };
  };
  /** One that is under way, for all who ask meanwhile. */
  let reading: Promise<Snapshot | undefined> | undefined;
  return {
    find: () => (reading ??= unlessRedisIsAway(read(), undefined).finally(() => (reading = undefined))),

    put: (snapshot) => unlessRedisIsAway(put(snapshot), undefined),

    lease: async (isYielding) => {
      const own = `${isYielding ? YIELDING : 'first:'}${newId()}`;
      const keepOn = (): Promise<boolean> =>
        unlessRedisIsAway(keepLock(redis, leaseKey, own, LEASE_MS), true);
      const hold = (): Lease => {
        const timer = setInterval(() => void keepOn().catch(() => undefined), LEASE_MS / 3);
        timer.unref();
        return {
          extend: keepOn,
          release: async () => {
            clearInterval(timer);
            await unlessRedisIsAway(releaseLock(redis, leaseKey, own), undefined);
          },
        };
      };
      const isTaken = await unlessRedisIsAway(
        takeLock(redis, leaseKey, own, LEASE_MS, isYielding ? '' : YIELDING),
        true,
      );
      return isTaken ? hold() : undefined;
    },
  };
}
