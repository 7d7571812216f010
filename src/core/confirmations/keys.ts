import { key } from '../../platform/redis/key.ts';

/** What a person was asked to confirm. */
export function confirmationKey(confirmationId: string): string {
  return key('confirmation', confirmationId);
}
