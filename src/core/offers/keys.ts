import { key } from '../../platform/redis/key.ts';

export const offerKeys = {
  /** What a person was asked to confirm. */
  confirmation: (confirmationId: string): string => key('confirmation', confirmationId),
  /** What a button stands for. */
  buttonToken: (buttonTokenId: string): string => key('token', buttonTokenId),
} as const;
