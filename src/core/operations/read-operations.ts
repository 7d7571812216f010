import type { Log } from '../../platform/log/log.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { operationKeys } from './keys.ts';
import type { Latest, Versioned } from './latest.ts';
import { type Operation, operationSchema } from './operation.ts';

/** What is read of operations is remembered as the latest. */
export interface Reader {
  read(id: string): Promise<Versioned | undefined>;
  /**
   * The operations that an index names. Those that this process knows are not read again: in the version that `versions`
   * gives for each, or in any where that is `any`. One record that is missing or that this version can't read holds up
   * nobody else.
   */
  readAll(
    index: string,
    ids: readonly string[],
    versions: ReadonlyMap<string, string> | 'any',
  ): Promise<Operation[]>;
}

/** So many records are asked for at the same time. */
const TOGETHER = 250;
const UNREADABLE_REST_MS = 60_000;

export function createReader(redis: RedisConnection, clock: RedisClock, log: Log, latest: Latest): Reader {
  const parsed = (version: string, record: string): Versioned =>
    latest.keep({ version: Number(version), operation: operationSchema.parse(JSON.parse(record)) });

  const readSome = async (
    index: string,
    ids: readonly string[],
  ): Promise<readonly (Versioned | undefined)[]> => {
    return Promise.all(
      ids.map(async (id) => {
        const [version, record] = await redis.hmget(operationKeys.operation(id), 'version', 'record');
        try {
          if (typeof version === 'string' && typeof record === 'string') return parsed(version, record);
          await redis.zrem(index, id);
        } catch (error) {
          log.warn({ operation: id, error }, 'leaving an operation to a process that can read it');
          await redis.zadd(index, 'XX', clock.now() + UNREADABLE_REST_MS, id);
        }
        return undefined;
      }),
    );
  };

  return {
    read: async (id) => {
      const [version, record] = await redis.hmget(operationKeys.operation(id), 'version', 'record');
      if (typeof version !== 'string' || typeof record !== 'string') return undefined;
      return parsed(version, record);
    },
    readAll: async (index, ids, versions) => {
      const all = ids.flatMap((id): (Versioned | undefined)[] => {
        const one = latest.get(id);
        return one && (versions === 'any' || one.version === Number(versions.get(id))) ? [one] : [];
      });
      const seen = new Set(all.map((one) => one?.operation.id));
      const unknown = ids.filter((id) => !seen.has(id));
      for (let from = 0; from < unknown.length; from += TOGETHER)
        all.push(...(await readSome(index, unknown.slice(from, from + TOGETHER))));
      return all.flatMap((one) => (one ? [one.operation] : []));
    },
  };
}
