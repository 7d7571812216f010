import { newId } from '../../platform/id.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { releaseLock, takeLock } from '../../platform/redis/lock.ts';
import { commit } from '../records/commit.ts';
import { unchanged } from '../records/conditions.ts';
import { unfile } from '../records/writes.ts';
import { operationKeys } from './keys.ts';
import { MOST_KNOWN } from './latest.ts';
import type { Operation } from './operation.ts';
import { isPolled } from './polled.ts';
import type { Newest } from './put-back.ts';
import type { Reader } from './read-operations.ts';

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
