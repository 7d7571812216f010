import type { Log } from '../../platform/log/log.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { readStored } from '../../platform/redis/stored.ts';
import { operationKeys } from './keys.ts';
import { type Latest, type Versioned, MOST_KNOWN, type Newest } from './latest.ts';
import { type Operation, operationSchema } from './operation.ts';
import { newId } from '../../platform/id.ts';
import { releaseLock, takeLock } from '../../platform/redis/lock.ts';
import { commit, unfile } from '../records/commit.ts';
import { unchanged } from '../records/conditions.ts';
import { isPolled } from './polled.ts';

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

/** What one process is to poll. */
interface DuePolls {
  /** Operations whose poll is due. */
  readonly due: readonly Operation[];
  /** When the next poll after those is due, Redis' clock, Unix ms. */
  readonly nextAt: number | undefined;
}

/** Which operations are to be polled at the hosting service, and which process holds the lease of polling them. */
export interface PollIndex {
  /**
   * Takes or renews the lease for this process, and gives the polls that are due by `before` (Unix ms), in no order.
   * Undefined where nothing is to be polled, now or later, or where another process holds the lease.
   */
  takeDuePolls(before: number): Promise<DuePolls | undefined>;
  /** The next poll of each of these is due then (Unix ms), where it is polled still. */
  postponePolls(nextAt: readonly (readonly [operationId: string, at: number])[]): Promise<void>;
  /** When the next poll is due. */
  nextPollAt(): Promise<number | undefined>;
}

/**
 * `leaseMs`: a process that renews its lease no sooner is taken for gone. `readAll`: the operations, from memory where they are
 * known in the versions that stand in Redis. `readNewest`: one, put back where Redis had lost its newest.
 */
export function createPollIndex({
  redis,
  leaseMs,
  readAll,
  readNewest,
}: Pick<Reader, 'readAll'> &
  Pick<Newest, 'readNewest'> & {
    readonly redis: RedisConnection;
    readonly leaseMs: number;
  }): PollIndex {
  const me = newId();
  const { polled, poller } = operationKeys;
  const nextPollAt = async (): Promise<number | undefined> => {
    const [, score] = await redis.zrange(polled, '0', '0', 'WITHSCORES');
    return score === undefined ? undefined : Number(score);
  };
  /**
   * Takes out one that another Redis still had here although it has ended by now: nothing that a poll does would. Where it is the record
   * that came back older, that is put back, and polled.
   */
  const takeOut = async (id: string): Promise<void> => {
    const stands = await readNewest(id);
    if (!stands || isPolled(stands.operation)) return;
    await commit(redis, {
      if: [unchanged(operationKeys.operation(id), stands.version, 'moved')],
      write: [unfile(polled, id)],
    });
  };
  return {
    takeDuePolls: async (before) => {
      if ((await nextPollAt()) === undefined) {
        await releaseLock(redis, poller, me);
        return undefined;
      }
      if (!(await takeLock(redis, poller, me, leaseMs))) return undefined;
      const [ids, [, next]] = await Promise.all([
        redis.zrangebyscore(polled, '-inf', before, 'LIMIT', 0, MOST_KNOWN),
        redis.zrangebyscore(polled, `(${before}`, '+inf', 'WITHSCORES', 'LIMIT', 0, 1),
      ]);
      const known = await readAll(polled, ids, 'current');
      await Promise.all(known.filter((one) => !isPolled(one)).map(({ id }) => takeOut(id)));
      return {
        due: known.filter(isPolled),
        nextAt: next === undefined ? undefined : Number(next),
      };
    },
    postponePolls: async (nextAt) => {
      await redis.zadd(polled, 'XX', ...nextAt.flatMap(([id, at]) => [at, id]));
    },
    nextPollAt,
  };
}
