import { z } from 'zod';
import { actorSchema } from '../../platform/slack/ids.ts';
import { say } from '../../platform/slack/phrase.ts';
import type { Ask } from '../ask/ask.ts';
import { Refusal } from '../refusal.ts';
import { expired, foreign } from './messages.ts';
import type { OfferKind, Offers } from './offers.ts';

/** What has used an offer up that its person has canceled. */
export const CANCELED = 'canceled';

/** An offer to one person as the value of the button that cancels it. */
export function offered({ name }: Pick<OfferKind<unknown>, 'name'>, id: string): string {
  return `${name}:${id}`;
}

const OFFERED = /^([a-z-]+):(.+)$/;
const toSomebody = z.looseObject({ actor: actorSchema.optional(), expiresAt: z.number().optional() });

/** The offer that a Cancel's value names; undefined where it names none. */
export function readOffered(
  value: string,
): { readonly kind: OfferKind<z.infer<typeof toSomebody>>; readonly id: string } | undefined {
  const [, name, id = ''] = OFFERED.exec(value) ?? [];
  return name === undefined ? undefined : { kind: { name, schema: toSomebody }, id };
}

/** Whether what `value` names can be said yes to still. `now`: Redis' clock, Unix ms. */
export async function isStillOpen(
  offers: Pick<Offers, 'find'>,
  value: string,
  now: number,
): Promise<boolean> {
  const named = readOffered(value);
  if (!named) return false;
  const { what, usedBy } = await offers.find(named.kind, named.id);
  return what !== undefined && usedBy === undefined && now <= (what.expiresAt ?? Number.POSITIVE_INFINITY);
}

/**
 * Cancels what `value`, as `offered` made it, was offered to who asks; there may be nothing to cancel. Throws a Refusal where it is
 * somebody else's, or they have said yes to it.
 */
export async function cancelOffered(
  offers: Offers,
  { actor }: Pick<Ask, 'actor'>,
  value = '',
): Promise<void> {
  const named = readOffered(value);
  if (!named) return;
  const { kind, id } = named;
  const { what } = await offers.find(kind, id);
  // Nothing can come any more of what is kept no longer.
  if (!what) return;
  if (!what.actor) throw new Refusal('confirmation-expired', expired());
  if (what.actor.userId !== actor.userId) throw new Refusal('confirmation-foreign', foreign(what.actor));
  if ((await offers.use(kind, id, CANCELED)) !== CANCELED)
    throw new Refusal('over', say`You said yes to that already, so there is nothing left to cancel here.`);
}

/** Somebody says yes to what they have canceled. */
export function wasCanceled(): Refusal {
  return new Refusal(
    'over',
    say`You canceled that, so nothing was done. Ask again if you want it after all.`,
  );
}
