import type { Entry } from '../audit/entry.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { commit } from './commit.ts';

/** Who did what, for what changes no record. */
export interface Audit {
  /** Writes one entry down. Throws where that can't be done. */
  append(entry: Entry): Promise<void>;
}

export function createAudit(redis: RedisConnection): Audit {
  return {
    append: async (entry) => {
      await commit(redis, { audit: entry });
    },
  };
}
