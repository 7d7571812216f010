import { Refusal } from '../../core/refusal.ts';
import { say } from '../../platform/slack/phrase.ts';
import { mapCards, touched, withCard } from './judge.ts';
import { type Card, isOpen, isOver, type Watch } from './watch.ts';

/** What people do about a watch and its cards, and what ends or pauses it, as pure functions. */

/** The card that a button is about. Throws a Refusal where its trouble is over. */
function openCard(watch: Watch, cardId: string): Card {
  const card = watch.cards.find(({ id }) => id === cardId);
  if (card?.kind === 'incident' && !isOver(card) && !watch.ended) return card;
  throw new Refusal('no-incident', say`That is over, so there is nothing to answer any more.`);
}

function withOne(watch: Watch, card: Card, now: number, more: Partial<Card>): Watch {
  return mapCards(watch, (one) => (one === card ? touched({ ...one, ...more }, now) : one));
}

/** Somebody is on it. Once more by the same person changes nothing. Throws a Refusal. */
export function takenOn(watch: Watch, cardId: string, by: string, now: number): Watch {
  const card = openCard(watch, cardId);
  return card.onIt?.by === by ? watch : withOne(watch, card, now, { onIt: { by, at: now } });
}

/** Nobody wants to hear of these instances until then. Throws a Refusal. */
export function snoozed(watch: Watch, cardId: string, by: string, until: number, now: number): Watch {
  const card = openCard(watch, cardId);
  return withOne(watch, card, now, { snoozed: { by, until } });
}

/** Everything about these instances is reported again. Throws a Refusal. */
export function awake(watch: Watch, cardId: string, now: number): Watch {
  const card = openCard(watch, cardId);
  if (!card.snoozed) throw new Refusal('over', say`That snooze is over already.`);
  const { snoozed: _, ...rest } = card;
  return mapCards(watch, (one) => (one === card ? touched(rest, now) : one));
}

/** What is wrong is no longer followed. */
function withoutFollowing(watch: Watch, now: number): Watch {
  return mapCards(watch, (card) => {
    if (!card.members.some(isOpen)) return card;
    const left = { at: now, now: 'left' } as const;
    const members = card.members.map((one) => (isOpen(one) ? { ...one, ended: left } : one));
    return touched({ ...card, members }, now);
  });
}

/** The watch rests, and says so; undefined where it does already. What it saw no longer counts. */
export function paused(watch: Watch, now: number, nextPollAt: number): Watch | undefined {
  if (watch.ended) return undefined;
  if (watch.pausedAt !== undefined) return { ...watch, nextPollAt };
  const { base: _, ...rest } = withoutFollowing(watch, now);
  return withCard({ ...rest, pausedAt: now, nextPollAt }, { kind: 'paused' }, now);
}

/** The watch goes on from a new base line, and says so. */
export function resumed(watch: Watch, now: number): Watch {
  if (watch.pausedAt === undefined) return watch;
  const { pausedAt: _, ...rest } = watch;
  return mapCards(rest, (card) => (card.kind === 'paused' ? touched(card, now) : card));
}

/** The watch is over; undefined where it was before. */
export function ended(
  watch: Watch,
  why: NonNullable<Watch['ended']>['why'],
  now: number,
  by?: string,
): Watch | undefined {
  if (watch.ended) return undefined;
  return {
    ...withoutFollowing(watch, now),
    ended: { at: now, why, by },
  };
}

/** The watch in which what `from` has of its open cards is `to`'s, by ids as `ownedIncidents` gives them; undefined where they don't have all. */
export function passedOn(
  watch: Watch,
  ids: readonly string[],
  { from, to, at }: { readonly from: string; readonly to: string; readonly at: number },
): Watch | undefined {
  if (watch.ended) return undefined;
  let count = 0;
  const after = mapCards(watch, (card) => {
    const { onIt, snoozed: quiet } = card;
    const isMeant = (what: string): boolean => ids.includes(`${watch.id}/${card.id}/${what}`);
    const isOn = onIt?.by === from && isMeant('onIt');
    const isQuiet = quiet?.by === from && at < quiet.until && isMeant('snoozed');
    if (isOver(card) || (!isOn && !isQuiet)) return card;
    count += Number(isOn) + Number(isQuiet);
    return touched(
      {
        ...card,
        ...(isOn ? { onIt: { ...onIt, by: to, at } } : {}),
        ...(isQuiet ? { snoozed: { ...quiet, by: to } } : {}),
      },
      at,
    );
  });
  return count === ids.length ? after : undefined;
}
