import { z } from 'zod';
import { placeSchema } from '../../platform/slack/ids.ts';
import { phraseSchema } from '../../platform/slack/phrase.ts';
import type { OfferKind } from '../offers/offers.ts';
import { toOneFields } from '../offers/confirmation.ts';
import { FOLLOW_UPS, type FollowUp, shownSchema } from './batch.ts';
import { backSchema } from '../operations/way-back.ts';

/** What a person was shown before several instances are changed: the exact ones, and those that are left out. */
const previewSchema = z.object({
  ...toOneFields,
  /** The route by which it is confirmed. */
  routeId: z.string(),
  place: placeSchema,
  /**
   * What it was asked by: words; the ids of instances that failed before, or were picked; or instances as they were when
   * somebody saw them, of which no other may take the place.
   */
  asked: z.union([
    z.object({ words: z.array(z.string()) }),
    z.object({ ids: z.array(z.string()) }),
    z.object({
      those: z.array(z.object({ id: z.string(), name: z.string(), createdAt: z.string().optional() })),
      /** Set where one that runs and is healthy by now no longer needs it. */
      isForTrouble: z.literal(true).optional(),
    }),
  ]),
  chosen: z.array(shownSchema),
  /** Left out, each with the reason: "is stopped already". */
  skipped: z.array(z.object({ id: z.string(), name: z.string(), why: phraseSchema })),
  /** What is said besides, such as what it saves. */
  remarks: z.array(phraseSchema),
  atOnce: z.number(),
  because: z.string().optional(),
  override: z.string().optional(),
  /** The batch after which these are asked for, and what of it they are. */
  follows: z.object({ what: z.enum(FOLLOW_UPS), batchId: z.string() }).optional(),
  /** What turns them around, where they are asked for until some time. */
  back: backSchema.optional(),
});
export type Preview = z.infer<typeof previewSchema>;

export const PREVIEWS: OfferKind<Preview> = { name: 'preview', schema: previewSchema };

/** What can be asked for once after a batch: its failed instances again, or those that it did not begin. */
export type OnceAfter = Exclude<FollowUp, 'again'>;

/** The id of a batch stands for the button on its card. */
export const ONCE_AFTER: Readonly<Record<OnceAfter, OfferKind<never>>> = {
  retry: { name: 'retry', schema: z.never() },
  rest: { name: 'rest', schema: z.never() },
};
