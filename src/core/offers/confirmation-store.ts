import { newId } from '../../platform/id.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { offerKeys } from './keys.ts';
import { type Confirmation, confirmationSchema } from './confirmation.ts';

/** Records behind what people confirm. Beginning an operation uses one up, in the commit that begins it. */
export interface ConfirmationStore {
  /** Gives the id: 128 random bits. */
  create(confirmation: Confirmation): Promise<string>;
  /** Undefined when it never was, or was long ago. */
  find(confirmationId: string): Promise<Confirmation | undefined>;
}

/** Longer than it counts, so that a late press is answered with why it no longer counts. */
const KEPT_MS = 24 * 3_600_000;

export function createConfirmationStore(redis: RedisConnection): ConfirmationStore {
  return {
    create: async (confirmation) => {
      const id = newId();
      const key = offerKeys.confirmation(id);
      await redis.multi().hset(key, 'record', JSON.stringify(confirmation)).pexpire(key, KEPT_MS).exec();
      return id;
    },
    find: async (confirmationId) => {
      const record = await redis.hget(offerKeys.confirmation(confirmationId), 'record');
      return record === null ? undefined : confirmationSchema.parse(JSON.parse(record));
    },
  };
}
