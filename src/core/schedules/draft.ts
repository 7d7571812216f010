import { z } from 'zod';
import type { OfferKind } from '../offers/offers.ts';
import { toOneFields } from '../offers/theirs.ts';
import { targetSchema } from './schedule-record.ts';
import { whenSchema } from './when.ts';

/** What one person was shown before a schedule is saved. */
const draftSchema = z.object({
  ...toOneFields,
  channelId: z.string(),
  target: targetSchema,
  when: whenSchema,
});
export type Draft = z.infer<typeof draftSchema>;

export const DRAFTS: OfferKind<Draft> = { name: 'draft', schema: draftSchema };
