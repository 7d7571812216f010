import { key } from '../../platform/redis/key.ts';

export const requestKeys = {
  /** One signed delivery or event that has been seen; holds a token of who took it. */
  delivery: (deliveryId: string): string => key('delivery', deliveryId),
  /** What a person asked for, until it has been answered or begun. */
  request: (requestId: string): string => key('request', requestId),
  /** What a request is answered with, until that has been delivered. */
  reply: (requestId: string): string => key('reply', requestId),
  /** Sorted set: request id by the time it was written down. */
  open: key('requests', 'open'),
  /** The words that a pick is to complete. */
  pendingCommands: (id: string): string => key('words', id),
} as const;
