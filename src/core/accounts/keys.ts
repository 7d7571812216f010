import { key } from '../../platform/redis/key.ts';

export const accountKeys = {
  /** To which accounts a message went that names none. */
  wentTo: (messageId: string): string => key('line-account', messageId),
  /** The account whose Home a person looked at last. */
  chosen: (userId: string): string => key('home-account', userId),
} as const;
