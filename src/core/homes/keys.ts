import { key } from '../../platform/redis/key.ts';

/** Where open Homes stand in Redis. */
export const homeKeys = {
  home: (userId: string): string => key('open-home', userId),
  open: key('homes', 'open'),
} as const;
