import { parsePlace, findList } from '../../core/lists/asked-page.ts';
import { choicesAmong, choicesOf, type MayPick } from '../../core/lookup/choices.ts';
import { matchingOf } from '../../core/lookup/matching.ts';
import { sightOf } from '../../core/lookup/sight.ts';
import type { PickedAt } from '../../core/intake/route.ts';
import type { Choice } from '../../platform/slack/message.ts';
import { inListOrder } from './list-order.ts';
import type { Bot } from '../../core/bot/bot.ts';

/**
 * The choices of a picker under a list: those of the list, from its page on until something is typed. Without a list, or
 * under somebody else's, all that the person may pick.
 */
export async function choicesOfList(
  deps: Bot,
  typed: string,
  mayPick: MayPick,
  { actor, askedAt, channelId, keeps }: PickedAt,
): Promise<readonly Choice[]> {
  const { hosting, access } = deps;
  const place = parsePlace(keeps);
  const list = place && (await findList(deps, { actor }, place.listId));
  if (!place || list?.actor.userId !== actor.userId) return choicesOf(hosting, typed, mayPick);
  const { maySeeAddons, mayKnow } = await sightOf(access, actor, channelId);
  const { passes } = await matchingOf(deps, list.words, { maySeeAddons, mayKnow, now: askedAt });
  return choicesAmong(hosting, typed, (all) => {
    const listed = all.filter((one) => mayPick(one) && passes(one));
    return typed.trim() === '' ? inListOrder(listed).slice(place.from) : listed;
  });
}
