import { key } from '../../platform/redis/key.ts';

export const memoryKeys = {
  /** Which memory this is: another mark, or none, is another or an empty Redis. */
  memory: key('memory'),
  /** How often any process has looked, ever: fewer than before, and an older Redis has come back. */
  looks: key('memory', 'looks'),
  /** Who tells the admins that the memory before this one is gone. */
  reported: (mark: string): string => key('memory', mark, 'reported'),
} as const;
