import { DAY_MS } from '../../platform/time/duration.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { accountKeys } from './keys.ts';

/** The account whose Home each person looked at last. */
export interface ChosenAccounts {
  /** Its name; undefined where it was long ago, or never. */
  find(userId: string): Promise<string | undefined>;
  choose(userId: string, name: string): Promise<void>;
}

const KEPT_MS = 90 * DAY_MS;

export function createChosenAccounts(redis: RedisConnection): ChosenAccounts {
  return {
    find: async (userId) => (await redis.get(accountKeys.chosen(userId))) ?? undefined,
    choose: async (userId, name) => {
      await redis.set(accountKeys.chosen(userId), name, 'PX', KEPT_MS);
    },
  };
}
