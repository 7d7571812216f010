import { z } from 'zod';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import { actorSchema } from '../../platform/slack/ids.ts';
import type { Ask } from '../ask/ask.ts';
import type { OfferKind, Offers } from '../offers/offers.ts';

const shownListSchema = z.object({
  /** The only person who may turn its pages. */
  actor: actorSchema,
  /** The words after the verb that it was asked by. */
  words: z.array(z.string()),
});
/** A list that one person was shown. Its buttons carry its id and a place in it, and what it shows is read again. */
type ShownList = z.infer<typeof shownListSchema>;

const SHOWN_LISTS: OfferKind<ShownList> = { name: 'list', schema: shownListSchema };

/** The id of a list that no words were typed for. It needs no record: everybody sees in it what they may. */
export const WHOLE_LIST = 'whole';

/** Gives the id of what `actor` is shown, for its buttons: `WHOLE_LIST` where no words say what; undefined where it can't be kept. */
export async function keepList(
  { offers }: { readonly offers: Offers },
  { actor }: Pick<Ask, 'actor'>,
  words: readonly string[],
): Promise<string | undefined> {
  if (words.length === 0) return WHOLE_LIST;
  return unlessRedisIsAway(offers.make(SHOWN_LISTS, { actor, words: [...words] }), undefined);
}

/** The list as `actor` asks for it. Undefined when it has expired or never was. */
export async function findList(
  { offers }: { readonly offers: Offers },
  { actor }: Pick<Ask, 'actor'>,
  listId: string,
): Promise<ShownList | undefined> {
  return listId === WHOLE_LIST ? { actor, words: [] } : (await offers.find(SHOWN_LISTS, listId)).what;
}
