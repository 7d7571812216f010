import { z } from 'zod';
import { type Actor, actorSchema, type Place, placeSchema } from '../../platform/slack/ids.ts';
import type { Fingerprint } from '../instances/fingerprint.ts';
import { argsSchema } from '../ask/args.ts';
import { type Phrase, phraseSchema } from '../../platform/slack/phrase.ts';

/** What a person was shown and asked to confirm. Its id is all that a button or a modal carries. */
export interface Confirmation {
  /** What is confirmed: the route's id. */
  readonly routeId: string;
  /** The only person who may. */
  readonly actor: Actor;
  readonly instance: Fingerprint;
  /** What was asked for besides the instance. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly because?: string;
  /** Why an admin goes on in spite of a freeze. */
  readonly override?: string;
  /** Where it is done, where the person was shown it elsewhere. */
  readonly place?: Place;
  /** The button that asked for it, which is used up with it. */
  readonly buttonTokenId?: string;
  /** The words that were shown, so that they are the same when they are shown again. */
  readonly lines: readonly Phrase[];
  readonly bullets?: readonly Phrase[];
  /** Redis' clock, Unix ms. */
  readonly expiresAt: number;
}

export const confirmationSchema: z.ZodType<Confirmation> = z.object({
  routeId: z.string(),
  actor: actorSchema,
  instance: z.object({ id: z.string(), name: z.string(), createdAt: z.string().optional() }),
  args: argsSchema.optional(),
  because: z.string().optional(),
  override: z.string().optional(),
  place: placeSchema.optional(),
  buttonTokenId: z.string().optional(),
  lines: z.array(phraseSchema),
  bullets: z.array(phraseSchema).optional(),
  expiresAt: z.number(),
});

/**
 * Why a confirmation does not count; undefined when it does. A person is their user id alone: in an organisation
 * Slack names one workspace with a command and may name another with the press. Pure.
 */
export function objectionTo(
  confirmation: Confirmation,
  asked: { readonly route: string; readonly actor: Actor; readonly askedAt: number },
): 'foreign' | 'expired' | undefined {
  const { actor, routeId, expiresAt } = confirmation;
  if (actor.userId !== asked.actor.userId || routeId !== asked.route) return 'foreign';
  return asked.askedAt > expiresAt ? 'expired' : undefined;
}
