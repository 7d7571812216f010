import { wholeName } from '../../platform/redis/key.ts';
import { newId } from '../../platform/id.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { loadScript } from '../../platform/redis/script.ts';
import { operationKeys } from './keys.ts';
import { MOST_KNOWN } from './latest.ts';
import type { Operation } from './operation.ts';
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

/** The lease is renewed after this share of its time. */
const RENEW_SHARE = 0.5;

const takePolls = loadScript(new URL('./take-polls.lua', import.meta.url));

/**
 * `leaseMs`: a process that renews its lease no sooner is taken for gone. `readAll`: the operations of these ids in an
 * index, from memory where they are known in these versions.
 */
export function createPollIndex({
  redis,
  leaseMs,
  readAll,
}: {
  readonly redis: RedisConnection;
  readonly leaseMs: number;
  readonly readAll: Reader['readAll'];
}): PollIndex {
  const me = newId();
  const { polled, poller } = operationKeys;
  /** Until then the lease need not be renewed, by this process' own clock. */
  let leasedUntilMs = Number.NEGATIVE_INFINITY;
  return {
    takeDuePolls: async (before) => {
      const prefix = wholeName(redis, operationKeys.operation(''));
      const startedAt = performance.now();
      const isLeased = startedAt < leasedUntilMs;
      const args = [me, isLeased ? '' : 'renew', before, MOST_KNOWN, prefix, leaseMs];
      const answer = await takePolls(redis, [poller, polled], args);
      const [whose, next, ...found] = Array.isArray(answer) ? answer.map(String) : [];
      if (whose !== 'mine') {
        leasedUntilMs = Number.NEGATIVE_INFINITY;
        return undefined;
      }
      if (!isLeased) leasedUntilMs = startedAt + leaseMs * RENEW_SHARE;
      const versions = pairs(found);
      return {
        due: await readAll(polled, [...versions.keys()], versions),
        nextAt: next === undefined || next === '' ? undefined : Number(next),
      };
    },
    postponePolls: async (nextAt) => {
      await redis.zadd(polled, 'XX', ...nextAt.flatMap(([id, at]) => [at, id]));
    },
    nextPollAt: async () => {
      const [, score] = await redis.zrange(polled, '0', '0', 'WITHSCORES');
      return score === undefined ? undefined : Number(score);
    },
  };
}

/** A list of keys that each come before their value, as scripts give it. */
function pairs(found: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    found.flatMap((id, at): [string, string][] => (at % 2 === 0 ? [[id, found[at + 1] ?? '']] : [])),
  );
}
