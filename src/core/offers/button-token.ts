import { z } from 'zod';
import { actorSchema, placeSchema } from '../../platform/slack/ids.ts';
import { argsSchema } from '../ask/ask.ts';
import type { OfferKind } from './offers.ts';

const buttonTokenSchema = z.object({
  instanceId: z.string(),
  name: z.string(),
  createdAt: z.string().optional(),
  /** What is asked for besides the instance. */
  args: argsSchema.optional(),
  /** Why it stands there, where a press on it is only a pick that is asked about first. */
  pickedTo: z.literal('save-credits').optional(),
  /** The only person that it asks. */
  onlyFor: actorSchema.shape.userId.optional(),
  /** The request that it repeats, where the button stands elsewhere: where that was, and why it was asked. */
  repeats: z
    .object({
      place: placeSchema,
      because: z.string().optional(),
      /** Ids of freezes that stood in its way: somebody is asked for an exception. */
      exceptFrom: z.array(z.string()).optional(),
    })
    .optional(),
});
/** What a button stands for, for everybody with the right to press it, or for one of them alone: one instance as it was when the button was shown. */
export type ButtonToken = z.infer<typeof buttonTokenSchema>;

/** The id of an operation stands for the button on its card. */
export const BUTTON_TOKENS: OfferKind<ButtonToken> = { name: 'button', schema: buttonTokenSchema };
