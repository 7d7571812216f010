import { z } from 'zod';
import { newId } from '../../platform/id.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { operationKeys } from './keys.ts';
import { argsSchema } from './operation.ts';

const offerSchema = z.object({
  instanceId: z.string(),
  name: z.string(),
  createdAt: z.string().optional(),
  /** What is asked for besides the instance. */
  args: argsSchema.optional(),
  /** Why it stands there, where a press on it is only a pick that is asked about first. */
  pickedTo: z.literal('save-credits').optional(),
});
/** What a button stands for: one instance as it was when the button was shown. */
export type Offer = z.infer<typeof offerSchema>;

/** Records behind buttons. A button carries only the opaque id; beginning an operation uses it up. */
export interface OfferStore {
  create(offer: Offer): Promise<string>;
  /** Undefined when it has expired or never was. */
  find(offerId: string): Promise<Offer | undefined>;
  /** The operation that was begun by it. */
  findUse(offerId: string): Promise<string | undefined>;
}

/** How long a button can be pressed, and how long it is remembered that it was. */
export const OFFER_LIFE_MS = 24 * 3_600_000;

export function createOfferStore(redis: RedisConnection): OfferStore {
  return {
    create: async (offer) => {
      const id = newId();
      const key = operationKeys.offer(id);
      await redis.multi().hset(key, 'offer', JSON.stringify(offer)).pexpire(key, OFFER_LIFE_MS).exec();
      return id;
    },
    find: async (offerId) => {
      const record = await redis.hget(operationKeys.offer(offerId), 'offer');
      return record === null ? undefined : offerSchema.parse(JSON.parse(record));
    },
    findUse: async (offerId) => (await redis.hget(operationKeys.offer(offerId), 'usedBy')) ?? undefined,
  };
}
