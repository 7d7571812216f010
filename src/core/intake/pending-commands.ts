import { z } from 'zod';
import { newId } from '../../platform/id.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import { intakeKeys } from './keys.ts';

/** The words of a request that a picker completes, so that a pick loses none of them. */
export interface PendingCommands {
  /** Gives the id that the picker carries; undefined where they can't be kept. */
  keep(words: readonly string[]): Promise<string | undefined>;
  find(id: string): Promise<readonly string[] | undefined>;
}

const KEPT_MS = 24 * 3_600_000;
const wordsSchema = z.array(z.string());

export function createPendingCommands(redis: RedisConnection): PendingCommands {
  return {
    keep: async (words) => {
      const id = newId();
      const keeping = redis.set(intakeKeys.pendingCommands(id), JSON.stringify(words), 'PX', KEPT_MS);
      return (await unlessRedisIsAway(keeping, null)) === 'OK' ? id : undefined;
    },
    find: async (id) => {
      const record = await redis.get(intakeKeys.pendingCommands(id));
      return record === null ? undefined : wordsSchema.parse(JSON.parse(record));
    },
  };
}
