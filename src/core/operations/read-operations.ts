import type { Log } from '../../platform/log/log.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { readStored } from '../../platform/redis/stored.ts';
import { operationKeys } from './keys.ts';
import type { Latest, Versioned } from './latest.ts';
import { type Operation, operationSchema } from './operation.ts';

/** What is read of operations is remembered as the latest. */
export interface Reader {
  read(id: string): Promise<Versioned | undefined>;
  /**
   * The operations that an index names. Those that this process knows are not read again where that is `any`, and in the version
   * that stands in Redis where it is `current`; all are where it is `afresh`. One record that is missing or that this version can't
   * read holds up nobody else.
   */
  readAll(index: string, ids: readonly string[], which: 'afresh' | 'current' | 'any'): Promise<Operation[]>;
}

/** So many records are asked for at the same time. */
const TOGETHER = 250;
const UNREADABLE_REST_MS = 60_000;

export function createReader(redis: RedisConnection, clock: RedisClock, log: Log, latest: Latest): Reader {
  const parsed = (version: string, record: string): Versioned =>
    latest.keep({ version, operation: readStored(operationSchema, record) });

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

  /** Those of which no other version stands in Redis. */
  const unmoved = async (known: readonly Versioned[]): Promise<Versioned[]> => {
    const asked = known.map((one) => redis.hget(operationKeys.operation(one.operation.id), 'version'));
    const versions = await Promise.all(asked);
    return known.filter((one, at) => versions[at] === one.version);
  };

  return {
    read: async (id) => {
      const [version, record] = await redis.hmget(operationKeys.operation(id), 'version', 'record');
      if (typeof version !== 'string' || typeof record !== 'string') return undefined;
      return parsed(version, record);
    },
    readAll: async (index, ids, which) => {
      const known = which === 'afresh' ? [] : ids.flatMap((id) => latest.get(id) ?? []);
      const all: (Versioned | undefined)[] = which === 'any' ? known : await unmoved(known);
      const seen = new Set(all.map((one) => one?.operation.id));
      const unknown = ids.filter((id) => !seen.has(id));
      for (let from = 0; from < unknown.length; from += TOGETHER)
        all.push(...(await readSome(index, unknown.slice(from, from + TOGETHER))));
      return all.flatMap((one) => (one ? [one.operation] : []));
    },
  };
}
