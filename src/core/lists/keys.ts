import { key } from '../../platform/redis/key.ts';

export const listKeys = {
  /** Whose list it is, and what it was asked by. */
  shown: (listId: string): string => key('list', listId),
} as const;
