import { z } from 'zod';
import { type Actor, actorSchema } from '../../platform/slack/ids.ts';
import { person, say, type Phrase } from '../../platform/slack/phrase.ts';
import type { Ask } from '../ask/ask.ts';
import { Refusal } from '../refusal.ts';
import type { OfferKind, Offers } from './offers.ts';
import { nameOf } from '../instances/messages.ts';
import type { Fingerprint } from '../instances/facts.ts';

/** Somebody else pressed what was asked of one person, who `can` do it still. `done`: what was not, as of an answer to a question. */
export function foreign(
  { userId }: Actor,
  can = 'confirm it',
  done = 'done for you; ask yourself if you want it',
): Phrase {
  return say`That was asked of ${person(userId)}, who can still ${can}. Nothing was ${done}.`;
}

/** What was shown first is kept no longer, or not as it was. `again`: how it is shown anew. */
export function outOfDate(done: 'done' | 'changed' | 'saved', again: string): Phrase {
  return say`What you were shown is out of date, so nothing was ${done}. ${again}`;
}

/** Confirmed too late. */
export function expired(instance?: Fingerprint): Phrase {
  const what = instance ? say` about ${nameOf(instance)}` : say``;
  return say`That question${what} has expired, so nothing was done. Ask again.`;
}

/** What has used an offer up that its person has canceled. */
export const CANCELED = 'canceled';

/** What one person was offered, in one question, as the value of the button that cancels it. */
export function offered({ name }: Pick<OfferKind<unknown>, 'name'>, ...ids: readonly string[]): string {
  return `${name}:${ids.join(',')}`;
}

const OFFERED = /^([a-z-]+):(.+)$/;
const toSomebody = z.looseObject({ actor: actorSchema.optional(), expiresAt: z.number().optional() });

/** The offers that a Cancel's value names; undefined where it names none. */
export function readOffered(
  value: string,
): { readonly kind: OfferKind<z.infer<typeof toSomebody>>; readonly ids: readonly string[] } | undefined {
  const [, name, ids = ''] = OFFERED.exec(value) ?? [];
  return name === undefined ? undefined : { kind: { name, schema: toSomebody }, ids: ids.split(',') };
}

/** Whether what `value` names waits for an answer still. `now`: Redis' clock, Unix ms. */
export async function isStillOpen(
  offers: Pick<Offers, 'find'>,
  value: string,
  now: number,
): Promise<boolean> {
  const named = readOffered(value);
  if (!named) return false;
  const those = await Promise.all(named.ids.map((id) => offers.find(named.kind, id)));
  return those.every(
    ({ what, usedBy }) =>
      what !== undefined && usedBy === undefined && now <= (what.expiresAt ?? Number.POSITIVE_INFINITY),
  );
}

/**
 * Cancels what `value`, as `offered` made it, was offered to who asks; there may be nothing to cancel. Throws a Refusal where it is
 * somebody else's, or was answered already.
 */
export async function cancelOffered(
  offers: Offers,
  { actor }: Pick<Ask, 'actor'>,
  value = '',
): Promise<void> {
  const named = readOffered(value);
  if (!named) return;
  const { kind, ids } = named;
  const those = await Promise.all(ids.map((id) => offers.find(kind, id)));
  for (const { what } of those) {
    // Nothing can come any more of what is kept no longer.
    if (!what) return;
    if (!what.actor) throw new Refusal('confirmation-expired', expired());
    if (what.actor.userId !== actor.userId) throw new Refusal('confirmation-foreign', foreign(what.actor));
  }
  // Canceled twice is canceled once.
  if (those.every(({ usedBy }) => usedBy === CANCELED)) return;
  if ((await offers.use(kind, ids, CANCELED)) !== CANCELED)
    throw new Refusal('over', say`That was answered already, so there is nothing left to cancel here.`);
}

/** Somebody says yes to what they have canceled, or `by` has, whom it was asked of. */
export function wasCanceled(by?: Actor): Refusal {
  const who = by ? person(by.userId) : 'You';
  return new Refusal(
    'over',
    say`${who} canceled that, so nothing was done. Ask again if you want it after all.`,
  );
}
