import { fingerprintOf } from '../../core/instances/facts.ts';
import { BUTTON_TOKENS, offering } from '../../core/offers/offers.ts';
import type { Said } from '../../core/outbox/outbox.ts';
import type { Write } from '../../core/records/commit.ts';
import { idOf } from '../../platform/id.ts';
import { actsOn, type PowerRoutes } from './card-buttons.ts';
import { endedForSetter, unwatchedMessage } from './list-messages.ts';
import { unansweredSince } from './judge.ts';
import { cardMessage, escalationMessage, nobodyReached, overReply } from './messages.ts';
import type { Card, Watch } from './watch.ts';

/** Who is told where a card reached nobody: of an incident, which is lost then, and of anything else. */
export const INCIDENT = 'watches.incident';
export const NEWS = 'watches.news';
/** The channel hears whom nothing reached of what nobody is on. */
export const UNREACHED = 'watches.unreached';

/** What is said where a watch was `before` and is `after` now: its cards, and who is called to them. Pure. */
export function saidBetween(before: Watch | undefined, after: Watch, routes: PowerRoutes): readonly Said[] {
  return [
    ...after.cards.flatMap((card) => saidOfCard(before, after, card, routes)),
    ...(after.ended && !before?.ended ? saidOfEnd(after, after.ended) : []),
  ];
}

/** What the buttons stand for of the cards that are said. Pure. */
export function buttonsBetween(before: Watch | undefined, after: Watch): readonly Write[] {
  return after.cards
    .filter(({ id, revision }) => before?.cards.find((one) => one.id === id)?.revision !== revision)
    .flatMap(actsOn)
    .flatMap(({ member: { id: instanceId, name, createdAt }, tokenId }) =>
      offering(BUTTON_TOKENS, tokenId, { instanceId, name, createdAt }),
    );
}

function saidOfCard(
  before: Watch | undefined,
  watch: Watch,
  card: Card,
  routes: PowerRoutes,
): readonly Said[] {
  const { id, revision: order, kind, onIt } = card;
  const known = before?.cards.find((one) => one.id === id);
  if (known?.revision === order) return [];
  const said = {
    id,
    order,
    content: cardMessage(watch, card, routes),
    about: card.members.map(fingerprintOf),
  };
  const told = saidOfEscalation(watch, known, card, routes);
  if (known) {
    const isCalled = onIt?.isCalled && !known.onIt?.isCalled;
    return [{ ...said, isEdit: true }, ...told, ...(isCalled ? [callOf(watch, card, onIt.by)] : [])];
  }
  const onDeadLetter = { handler: kind === 'incident' ? INCIDENT : NEWS, id: watch.id };
  return [{ ...said, to: { channelId: watch.channelId }, isForPlaceAlone: true, onDeadLetter }, ...told];
}

/** What is said to those who are told that nobody is on a card, and shown where it was said. */
function saidOfEscalation(
  watch: Watch,
  known: Card | undefined,
  card: Card,
  routes: PowerRoutes,
): readonly Said[] {
  const { id, revision: order, told = [] } = card;
  const since = unansweredSince(card);
  const isSame = known !== undefined && unansweredSince(known) === since;
  return told.flatMap(({ to, of, unreached: why }): readonly Said[] => {
    const postId = idOf(`${id} told ${to} ${since}`);
    const isNew = !isSame || (known.told ?? []).every((one) => one.to !== to);
    if (why) {
      const place = { channelId: to, underPost: id };
      return isNew
        ? [{ id: postId, to: place, content: nobodyReached(card, why), isForPlaceAlone: true }]
        : [];
    }
    // They read no more than they may see, also of what came to the card since.
    const theirs = { ...card, members: card.members.filter((one) => of.includes(one.id)) };
    const said = { id: postId, order, content: escalationMessage(watch, theirs, routes) };
    if (!isNew) return [{ ...said, isEdit: true }];
    const onDeadLetter = { handler: UNREACHED, id: `${watch.id}/${id}` };
    return [{ ...said, to: { userId: to }, isForPlaceAlone: true, onDeadLetter }];
  });
}

/** Calls who is on it to the card, since all is over: an edit notifies nobody. */
function callOf({ channelId }: Watch, card: Card, userId: string): Said {
  return {
    id: idOf(`${card.id} over ${card.revision}`),
    to: { channelId, underPost: card.id },
    content: overReply(card, userId),
    isForPlaceAlone: true,
  };
}

function saidOfEnd(watch: Watch, { why, by }: NonNullable<Watch['ended']>): readonly Said[] {
  const id = idOf(`watch ${watch.id} ended`);
  if (why === 'no channel')
    return [{ id, to: { userId: watch.setBy.userId }, content: endedForSetter(watch) }];
  if (by === undefined) return [];
  const to = { channelId: watch.channelId };
  return [{ id, to, content: unwatchedMessage(watch, by), isForPlaceAlone: true }];
}
