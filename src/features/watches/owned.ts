import { movingEach, type Owned, type OwnedSource } from '../../core/policy/owned.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { channel, say, time } from '../../platform/slack/phrase.ts';
import { cardWords } from './messages.ts';
import { passedOn } from './react.ts';
import { type Card, isOver, targetOf, type Watch } from './watch.ts';
import type { WatchStore } from './watch-store.ts';

/** The incidents that somebody is on, and their snoozes there. */
export function ownedIncidents({
  watches,
  clock,
}: {
  readonly watches: Pick<WatchStore, 'listAll' | 'moving'>;
  readonly clock: Pick<RedisClock, 'now'>;
}): OwnedSource {
  return {
    name: 'incident',
    list: async (userId) => {
      const all = await watches.listAll();
      return all.flatMap((watch) => watch.cards.flatMap((card) => ownedOf(watch, card, userId, clock.now())));
    },
    moving: (all, { from, to, at }) =>
      movingEach(all, (watchId, ids) =>
        watches.moving(watchId, (watch) => passedOn(watch, ids, { from, to, at })),
      ),
  };
}

function ownedOf(watch: Watch, card: Card, userId: string, now: number): readonly Owned[] {
  if (watch.ended || card.kind !== 'incident' || isOver(card)) return [];
  const { onIt, snoozed, members } = card;
  const at = `${watch.id}/${card.id}`;
  const needs = { permission: 'instances:watch', of: members.map(targetOf), in: watch.channelId } as const;
  const where = channel(watch.channelId);
  return [
    ...(onIt?.by === userId
      ? [{ id: `${at}/onIt`, line: say`on it in ${where}: ${cardWords(card)}.`, needs }]
      : []),
    ...(snoozed && snoozed.by === userId && now < snoozed.until
      ? [
          {
            id: `${at}/snoozed`,
            line: say`snooze in ${where} until ${time(snoozed.until)}: ${cardWords(card)}.`,
            needs,
          },
        ]
      : []),
  ];
}
