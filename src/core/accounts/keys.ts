import { key } from '../../platform/redis/key.ts';

export const accountKeys = {
  /** The account whose Home a person looked at last. */
  chosen: (userId: string): string => key('home-account', userId),
} as const;
