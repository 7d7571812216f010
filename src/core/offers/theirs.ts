import { z } from 'zod';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { type Actor, actorSchema } from '../../platform/slack/ids.ts';
import type { Ask } from '../ask/ask.ts';
import type { Refusal } from '../refusal.ts';
import type { Timings } from '../timings.ts';
import { CANCELED, wasCanceled } from './canceled.ts';
import type { Offer } from './offers.ts';

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
