import { key } from '../../platform/redis/key.ts';

export const intakeKeys = {
  /** One signed delivery or event that has been seen; holds a token of who took it. */
  delivery: (deliveryId: string): string => key('delivery', deliveryId),
  /** What a request is answered with, until that has been delivered. */
  reply: (requestId: string): string => key('reply', requestId),
} as const;
