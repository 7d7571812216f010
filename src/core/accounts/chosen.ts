import { DAY_MS, HOUR_MS } from '../../platform/time/duration.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { key } from '../../platform/redis/key.ts';

const accountKeys = {
  /** To which accounts a message went that names none. */
  wentTo: (messageId: string): string => key('line-account', messageId),
  /** The account whose Home a person looked at last. */
  chosen: (userId: string): string => key('home-account', userId),
} as const;

/** The account whose Home each person looked at last. */
export interface ChosenAccounts {
  /** Its name; undefined where it was long ago, or never. */
  find(userId: string): Promise<string | undefined>;
  choose(userId: string, name: string): Promise<void>;
  /**
   * To which accounts a message went that names none; no names where its person was asked, undefined where it is new. Slack may
   * deliver it again when another answer would be right by then.
   */
  findWent(messageId: string): Promise<readonly string[] | undefined>;
  keepWent(messageId: string, names: readonly string[]): Promise<void>;
}

const KEPT_MS = 90 * DAY_MS;
/** Longer than Slack delivers an event again. */
const WENT_MS = HOUR_MS;

export function createChosenAccounts(redis: RedisConnection): ChosenAccounts {
  return {
    find: async (userId) => (await redis.get(accountKeys.chosen(userId))) ?? undefined,
    choose: async (userId, name) => {
      await redis.set(accountKeys.chosen(userId), name, 'PX', KEPT_MS);
    },
    findWent: async (messageId) => {
      const went = await redis.get(accountKeys.wentTo(messageId));
      return went?.split(' ').filter((name) => name !== '');
    },
    keepWent: async (messageId, names) => {
      await redis.set(accountKeys.wentTo(messageId), names.join(' '), 'PX', WENT_MS);
    },
  };
}
