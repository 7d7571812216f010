import { key } from '../../platform/redis/key.ts';

export const requestKeys = {
  /** What a person asked for, until it has been answered or begun. */
  request: (requestId: string): string => key('request', requestId),
  /** Sorted set: request id by the time it was written down. */
  open: key('requests', 'open'),
} as const;
