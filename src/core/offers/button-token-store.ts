import { z } from 'zod';
import { newId } from '../../platform/id.ts';
import { placeSchema } from '../../platform/slack/ids.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { offerKeys } from './keys.ts';
import { argsSchema } from '../ask/args.ts';

const buttonTokenSchema = z.object({
  instanceId: z.string(),
  name: z.string(),
  createdAt: z.string().optional(),
  /** What is asked for besides the instance. */
  args: argsSchema.optional(),
  /** Why it stands there, where a press on it is only a pick that is asked about first. */
  pickedTo: z.literal('save-credits').optional(),
  /** The request that it repeats, where the button stands elsewhere: where that was, and why it was asked. */
  repeats: z.object({ place: placeSchema, because: z.string().optional() }).optional(),
});
/** What a button stands for: one instance as it was when the button was shown. */
export type ButtonToken = z.infer<typeof buttonTokenSchema>;

/** Records behind buttons. A button carries only the opaque id; beginning an operation uses it up. */
export interface ButtonTokenStore {
  create(buttonToken: ButtonToken): Promise<string>;
  /** Undefined when it has expired or never was. */
  find(buttonTokenId: string): Promise<ButtonToken | undefined>;
  /** The operation that was begun by it. */
  findUse(buttonTokenId: string): Promise<string | undefined>;
}

/** How long a button can be pressed, and how long it is remembered that it was. */
export const BUTTON_TOKEN_LIFE_MS = 24 * 3_600_000;

export function createButtonTokenStore(redis: RedisConnection): ButtonTokenStore {
  return {
    create: async (buttonToken) => {
      const id = newId();
      const key = offerKeys.buttonToken(id);
      await redis
        .multi()
        .hset(key, 'token', JSON.stringify(buttonToken))
        .pexpire(key, BUTTON_TOKEN_LIFE_MS)
        .exec();
      return id;
    },
    find: async (buttonTokenId) => {
      const record = await redis.hget(offerKeys.buttonToken(buttonTokenId), 'token');
      return record === null ? undefined : buttonTokenSchema.parse(JSON.parse(record));
    },
    findUse: async (buttonTokenId) =>
      (await redis.hget(offerKeys.buttonToken(buttonTokenId), 'usedBy')) ?? undefined,
  };
}
