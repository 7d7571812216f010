import { z } from 'zod';
import { type Actor, type SlackPlace, placeSchema } from '../../platform/slack/ids.ts';
import type { Fingerprint } from '../instances/facts.ts';
import { Refusal } from '../refusal.ts';
import { type Ask, argsSchema } from '../ask/ask.ts';
import { type Phrase, phraseSchema } from '../../platform/slack/phrase.ts';
import { CANCELED, expired, foreign } from './canceled.ts';
import type { OfferKind, Offers } from './offers.ts';
import { theirs, toOneFields } from './theirs.ts';

/** What a person was shown and asked to confirm. */
export interface Confirmation {
  /** What is confirmed: the route's id. */
  readonly routeId: string;
  readonly actor: Actor;
  readonly instance: Fingerprint;
  /** What was asked for besides the instance. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly because?: string;
  /** Why an admin goes on in spite of a freeze. */
  readonly override?: string;
  /** Ids of freezes from which somebody is asked for an exception. */
  readonly exceptFrom?: readonly string[];
  /** Where it is done, where the person was shown it elsewhere. */
  readonly place?: SlackPlace;
  /** The button that asked for it, which is used up with it. */
  readonly buttonTokenId?: string;
  /** The words that were shown, so that they are the same when they are shown again. */
  readonly lines: readonly Phrase[];
  readonly bullets?: readonly Phrase[];
  /** Redis' clock, Unix ms. */
  readonly expiresAt: number;
}

export const confirmationSchema: z.ZodType<Confirmation> = z.object({
  ...toOneFields,
  routeId: z.string(),
  instance: z.object({ id: z.string(), name: z.string(), createdAt: z.string().optional() }),
  args: argsSchema.optional(),
  because: z.string().optional(),
  override: z.string().optional(),
  exceptFrom: z.array(z.string()).optional(),
  place: placeSchema.optional(),
  buttonTokenId: z.string().optional(),
  lines: z.array(phraseSchema),
  bullets: z.array(phraseSchema).optional(),
});

export const CONFIRMATIONS: OfferKind<Confirmation> = { name: 'confirmation', schema: confirmationSchema };

/** The confirmation that `ask` brings; undefined when it brings none. Throws a Refusal where it does not count. */
export async function findConfirmation(
  { offers }: { readonly offers: Offers },
  ask: Ask,
): Promise<Confirmation | undefined> {
  if (ask.value === undefined) return undefined;
  const { what, usedBy } = await offers.find(CONFIRMATIONS, ask.value);
  if (!what && ask.typed === undefined) return undefined;
  // What came of an earlier yes is said where it would be done once more.
  return theirs({ what, ...(usedBy === CANCELED ? { usedBy } : {}) }, ask, {
    foreign: (one) => new Refusal('confirmation-foreign', foreign(one.actor)),
    expired: (one) => new Refusal('confirmation-expired', expired(one?.instance)),
  });
}
