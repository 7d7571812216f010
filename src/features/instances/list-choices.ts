import { parsePlace } from '../../core/lists/asked-page.ts';
import { choicesAmong, choicesOf, type MayPick } from '../../core/lookup/choices.ts';
import { parseFilters } from '../../core/lookup/filter.ts';
import type { PickedAt } from '../../core/routing/route.ts';
import type { Choice } from '../../platform/slack/message.ts';
import type { ListDeps } from './list.ts';
import { inListOrder } from './list-order.ts';

/**
 * The choices of a picker under a list: those of the list, from its page on until something is typed. Without a list, or
 * under somebody else's, all that the person may pick.
 */
export async function choicesOfList(
  { hosting, shownLists }: Pick<ListDeps, 'hosting' | 'shownLists'>,
  typed: string,
  mayPick: MayPick,
  { actor, askedAt, keeps }: PickedAt,
): Promise<readonly Choice[]> {
  const place = parsePlace(keeps);
  const list = place && (await shownLists.find(place.listId));
  if (!place || list?.userId !== actor.userId) return choicesOf(hosting, typed, mayPick);
  const passes = parseFilters(list.words, askedAt);
  return choicesAmong(hosting, typed, (all) => {
    const listed = all.filter((one) => mayPick(one) && passes(one));
    return typed.trim() === '' ? inListOrder(listed).slice(place.from) : listed;
  });
}
