import { z } from 'zod';
import type { OfferKind } from '../../core/offers/offers.ts';
import type { Said } from '../../core/outbox/outbox.ts';
import { granteeSchema } from '../../core/policy/grant.ts';
import { actorSchema, placeSchema } from '../../platform/slack/ids.ts';
import type { Message } from '../../platform/slack/message.ts';
import { phraseSchema } from '../../platform/slack/phrase.ts';
import { HOUR_MS } from '../../platform/time/duration.ts';

const thingSchema = z.object({ source: z.string(), id: z.string(), line: phraseSchema });

/** What one person asks another, or a user group, to take over. */
const handoverSchema = z.object({
  /** Whose it is, and who can cancel it. */
  actor: actorSchema,
  to: granteeSchema,
  place: placeSchema,
  /** What was shown, by its source and its id there. */
  things: z.array(thingSchema),
  /** What they may not have to whom it is offered. */
  kept: z.array(thingSchema),
  /** Redis' clock, Unix ms. */
  expiresAt: z.number(),
});
export type Offered = z.infer<typeof handoverSchema>;

export const HANDOVERS: OfferKind<Offered> = { name: 'handover', schema: handoverSchema };

/** The handovers of one person, by their id, the last first. */
export const ofPerson: OfferKind<{ readonly offerId: string }> = {
  name: 'handovers-of',
  schema: z.object({ offerId: z.string() }),
};

/** How long it can be taken over. */
export const HANDOVER_KEPT_MS = 12 * HOUR_MS;

/** What has used one up that nobody took in time. */
export const EXPIRED = 'expired';

/** The id of the message that asks, in its place or in the direct messages of whom it asks, which says what came of it. */
export function messageIdOf(offerId: string, where: 'place' | 'alone' = 'place'): string {
  return where === 'place' ? `handover-${offerId}` : `handover-${offerId}-alone`;
}

/** This in the place of the messages that ask. Pure. */
export function editsOf(offerId: string, content: Message): readonly Said[] {
  return (['place', 'alone'] as const).map((where) => ({
    id: messageIdOf(offerId, where),
    content,
    isEdit: true as const,
  }));
}
