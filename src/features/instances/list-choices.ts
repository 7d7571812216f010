import { parsePlace } from '../../core/lists/asked-page.ts';
import { choicesAmong, choicesOf, type MayPick } from '../../core/lookup/choices.ts';
import { matchingOf, sightOf } from '../../core/lookup/matching.ts';
import type { PickedAt } from '../../core/routing/route.ts';
import type { Choice } from '../../platform/slack/message.ts';
import type { ListDeps } from './list.ts';
import { inListOrder } from './list-order.ts';

/**
 * The choices of a picker under a list: those of the list, from its page on until something is typed. Without a list, or
 * under somebody else's, all that the person may pick.
 */
export async function choicesOfList(
  deps: Pick<ListDeps, 'hosting' | 'shownLists' | 'favourites' | 'access'>,
  typed: string,
  mayPick: MayPick,
  { actor, askedAt, channelId, keeps }: PickedAt,
): Promise<readonly Choice[]> {
  const { hosting, shownLists, access } = deps;
  const place = parsePlace(keeps);
  const list = place && (await shownLists.find(place.listId));
  if (!place || list?.userId !== actor.userId) return choicesOf(hosting, typed, mayPick);
  const { maySeeAddons } = await sightOf(access, actor, channelId);
  const { passes } = await matchingOf(deps, list.words, { maySeeAddons, now: askedAt });
  return choicesAmong(hosting, typed, (all) => {
    const listed = all.filter((one) => mayPick(one) && passes(one));
    return typed.trim() === '' ? inListOrder(listed).slice(place.from) : listed;
  });
}
