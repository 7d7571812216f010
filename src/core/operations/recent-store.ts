import { z } from 'zod';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { operationKeys } from './keys.ts';
import type { Operation } from './operation.ts';

const pastSchema = z.object({
  kind: z.string(),
  userId: z.string(),
  at: z.number(),
  /** How it ended; without it, it was done. */
  result: z.enum(['done', 'unknown']).optional(),
});
/** Something that was done, or may have been, by whom, and when it was through (Unix ms). */
export type Past = z.infer<typeof pastSchema>;

/** What was done with each instance lately, or may have been. It only makes the bot ask once more, so it never throws. */
export interface PastStore {
  /** Remembers an ended operation that was done or may have been; any other is left out. */
  remember(operation: Operation): Promise<void>;
  /** Newest first, of the last day. */
  list(instanceId: string, now: number): Promise<readonly Past[]>;
}

const MOST = 50;
const KEPT_MS = 24 * 3_600_000;

export function createPastStore(redis: RedisConnection): PastStore {
  return {
    remember: async ({ kind, actor, subject, outcome }) => {
      if (outcome?.result !== 'done' && outcome?.result !== 'unknown') return;
      const past: Past = { kind, userId: actor.userId, at: outcome.at, result: outcome.result };
      const key = operationKeys.past(subject.id);
      try {
        const [count] = await Promise.all([
          redis.lpush(key, JSON.stringify(past)),
          redis.pexpire(key, KEPT_MS),
        ]);
        if (count > 2 * MOST) await redis.ltrim(key, 0, MOST - 1);
      } catch {
        // It only makes the bot ask once more.
      }
    },
    list: async (instanceId, now) => {
      try {
        const records = await redis.lrange(operationKeys.past(instanceId), 0, MOST - 1);
        return records
          .map((record) => pastSchema.parse(JSON.parse(record)))
          .filter(({ at }) => now - at < KEPT_MS);
      } catch {
        return [];
      }
    },
  };
}
