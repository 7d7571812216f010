import { z } from 'zod';
import { type Actor, type SlackPlace, placeSchema, actorSchema } from '../../platform/slack/ids.ts';
import type { Fingerprint } from '../instances/facts.ts';
import { Refusal } from '../refusal.ts';
import { type Ask, argsSchema } from '../ask/ask.ts';
import { type Phrase, phraseSchema } from '../../platform/slack/phrase.ts';
import { CANCELED, expired, foreign, wasCanceled } from './canceled.ts';
import type { OfferKind, Offers, Offer } from './offers.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { Timings } from '../timings.ts';

/** What is offered to one person alone. */
export interface ToOne {
  readonly actor: Actor;
  /** The only route by which it is done; without one, any that asks for this kind. */
  readonly routeId?: string;
  /** Redis' clock, Unix ms; without one, it counts as long as it is kept. */
  readonly expiresAt?: number;
}

/** Fields of what counts for one person until a moment. */
export const toOneFields = { actor: actorSchema, expiresAt: z.number() };

/** The same for who asks now, as long as a question can be answered. */
export function toAsker(
  { actor }: Pick<Ask, 'actor'>,
  deps: { readonly clock: Pick<RedisClock, 'now'>; readonly timings: Pick<Timings, 'confirmWithinMs'> },
): { readonly actor: Actor; readonly expiresAt: number } {
  return { actor, expiresAt: deps.clock.now() + deps.timings.confirmWithinMs };
}

/**
 * Why an offer does not count; undefined when it does. A person is their user id alone: in an organization Slack names one
 * workspace with a command and may name another with the press. Pure.
 */
export function objectionTo(
  { actor, routeId, expiresAt = Number.POSITIVE_INFINITY }: ToOne,
  asked: Pick<Ask, 'route' | 'actor' | 'askedAt'>,
): 'foreign' | 'expired' | undefined {
  const isTheirs = actor.userId === asked.actor.userId;
  if (!isTheirs || (routeId !== undefined && routeId !== asked.route)) return 'foreign';
  return asked.askedAt > expiresAt ? 'expired' : undefined;
}

/** What is said of an offer that does not count. `expired` is given none where it is not kept any more. */
export interface NotTheirs<T> {
  readonly foreign: (offer: T) => Refusal;
  readonly expired: (offer?: T) => Refusal;
}

/**
 * What is offered to who asks. Throws a Refusal where it is somebody else's, which leaves it to them, canceled, or too old. What was used
 * is never too old: what became of it says more. Pure.
 */
export function theirs<T extends ToOne>(
  { what, usedBy }: Offer<T>,
  ask: Pick<Ask, 'route' | 'actor' | 'askedAt'>,
  no: NotTheirs<T>,
): T {
  if (!what) throw no.expired();
  const objection = objectionTo(what, ask);
  if (objection === 'foreign') throw no.foreign(what);
  if (usedBy === CANCELED) throw wasCanceled();
  if (objection === 'expired' && usedBy === undefined) throw no.expired(what);
  return what;
}

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
