import { wholeName } from '../../platform/redis/key.ts';
import { newId } from '../../platform/id.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { loadScript } from '../../platform/redis/script.ts';
import { operationKeys } from './keys.ts';
import { MOST_KNOWN } from './latest.ts';
import type { Operation } from './operation.ts';
import type { Reader } from './read-operations.ts';

/** What one process is to look at. */
interface Looks {
  /** Watched operations whose look is due. */
  readonly due: readonly Operation[];
  /** When the next look after those is due, Redis' clock, Unix ms. */
  readonly nextAt: number | undefined;
}

/** Which operations are to be looked at at the hosting service, and by which process. */
export interface LookIndex {
  /**
   * Has this process look for everybody for a while, and gives what is to be looked at by `before` (Unix ms), in no
   * order. Undefined where nothing is to be looked at, now or later, or where another process looks.
   */
  takeLooks(before: number): Promise<Looks | undefined>;
  /** The next look at each of these is due then (Unix ms), where it is watched still. */
  putLooksOff(nextAt: readonly (readonly [operationId: string, at: number])[]): Promise<void>;
  /** When the next look is due. */
  nextLookAt(): Promise<number | undefined>;
}

/** The look after this share of the time for which a process holds the looks holds them again. */
const HELD_SHARE = 0.5;

const look = loadScript(new URL('./look.lua', import.meta.url));

/**
 * `takenForMs`: a process that says nothing for so long is taken for gone. `readAll`: the operations of these ids in an
 * index, from memory where they are known in these versions.
 */
export function createLookIndex({
  redis,
  takenForMs,
  readAll,
}: {
  readonly redis: RedisConnection;
  readonly takenForMs: number;
  readonly readAll: Reader['readAll'];
}): LookIndex {
  const me = newId();
  const { watched, looker } = operationKeys;
  /** Until then the looks need not be held again, by this process' own clock. */
  let heldUntilMs = Number.NEGATIVE_INFINITY;
  return {
    takeLooks: async (before) => {
      const prefix = wholeName(redis, operationKeys.operation(''));
      const startedAt = performance.now();
      const isHeld = startedAt < heldUntilMs;
      const args = [me, isHeld ? '' : 'hold', before, MOST_KNOWN, prefix, takenForMs];
      const answer = await look(redis, [looker, watched], args);
      const [whose, next, ...found] = Array.isArray(answer) ? answer.map(String) : [];
      if (whose !== 'mine') {
        heldUntilMs = Number.NEGATIVE_INFINITY;
        return undefined;
      }
      if (!isHeld) heldUntilMs = startedAt + takenForMs * HELD_SHARE;
      const versions = pairs(found);
      return {
        due: await readAll(watched, [...versions.keys()], versions),
        nextAt: next === undefined || next === '' ? undefined : Number(next),
      };
    },
    putLooksOff: async (nextAt) => {
      await redis.zadd(watched, 'XX', ...nextAt.flatMap(([id, at]) => [at, id]));
    },
    nextLookAt: async () => {
      const [, score] = await redis.zrange(watched, '0', '0', 'WITHSCORES');
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
