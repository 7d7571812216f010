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
  /** Newest first, of the last day. */
  list(instanceId: string, now: number): Promise<readonly Past[]>;
}

const MOST = 50;
/** How long what was done counts as lately, in ms. */
export const PAST_KEPT_MS = 24 * 3_600_000;

/** What an ended operation leaves of this kind; undefined unless it was done, or may have been. Pure. */
export function pastOf({ kind, actor, outcome }: Operation): Past | undefined {
  if (outcome?.result !== 'done' && outcome?.result !== 'unknown') return undefined;
  return { kind, userId: actor.userId, at: outcome.at, result: outcome.result };
}

export function createPastStore(redis: RedisConnection): PastStore {
  return {
    list: async (instanceId, now) => {
      try {
        const records = await redis.lrange(operationKeys.past(instanceId), 0, MOST - 1);
        return records
          .map((record) => pastSchema.parse(JSON.parse(record)))
          .filter(({ at }) => now - at < PAST_KEPT_MS);
      } catch {
        return [];
      }
    },
  };
}
