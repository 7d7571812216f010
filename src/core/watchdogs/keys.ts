import { key } from '../../platform/redis/key.ts';

export const redisKeys = {
  /** Which Redis this is: another identity, or none, is another or an empty Redis. */
  identity: key('redis', 'identity'),
  /** How often any process has looked, ever: fewer than before, and an older Redis has come back. */
  checks: key('redis', 'checks'),
  /** Who tells the admins that the data before this one is lost. */
  reported: (identity: string): string => key('redis', identity, 'reported'),
} as const;
