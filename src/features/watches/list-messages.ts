import type { Message } from '../../platform/slack/message.ts';
import { ago, channel, join, person, type Phrase, plain, say, strong } from '../../platform/slack/phrase.ts';
import { WATCH_ROUTES } from './card-buttons.ts';
import { isOver, type Watch, lineOf } from './watch.ts';

/** What the person who set a watch reads alone once it ended because its channel can't be posted to. */
export function endedForSetter(watch: Watch): Message {
  return {
    lines: [
      say`⏹️ I can't post in ${channel(watch.channelId)} any more, so I stopped watching ${strong(lineOf(watch))} there. If you still want it, unarchive it or invite me there, then set it again.`,
    ],
  };
}

/** That somebody ended a watch, for its channel. */
export function unwatchedMessage(watch: Watch, by: string): Message {
  return { lines: [say`⏹️ ${person(by)} stopped watching ${strong(lineOf(watch))} here.`] };
}

/** The watches of a channel, and those that a person set elsewhere, for that person alone. */
export function watchList(here: readonly Watch[], elsewhere: readonly Watch[]): Message {
  const all = [...here, ...elsewhere];
  const [first, ...rest] = all.map((watch) => ({
    label: all.length === 1 ? 'Unwatch' : plain(`Unwatch ${lineOf(watch)}`, 70),
    routeId: WATCH_ROUTES.remove,
    value: watch.id,
  }));
  return {
    lines: [all.length === 1 ? say`1 watch:` : say`${all.length} watches:`],
    bullets: all.map((watch) => watchLine(watch, here.includes(watch))),
    ...(first ? { buttons: [first] } : {}),
    ...(rest.length > 0 ? { menu: rest.slice(0, 5) } : {}),
  };
}

function watchLine(watch: Watch, isHere: boolean): Phrase {
  const { cards, pausedAt, base, channelId, setBy, setAt } = watch;
  const { untold = 0 } = base ?? {};
  const open = cards.filter((card) => card.kind === 'incident' && !isOver(card)).length;
  const parts = [
    ...(isHere ? [] : [say`in ${channel(channelId)}`]),
    say`set by ${person(setBy.userId)} ${ago(setAt)}`,
    pausedAt !== undefined
      ? say`paused, because they can't watch these instances any more`
      : base
        ? say`checked ${ago(base.at)}`
        : say`not checked yet`,
    ...(untold === 0 ? [] : [untoldWords(untold)]),
    ...(open === 0 ? [] : [say`${open === 1 ? '1 open card' : `${open} open cards`}`]),
  ];
  return say`👁️ ${strong(lineOf(watch))} · ${join(parts, ' · ')}`;
}

function untoldWords(untold: number): Phrase {
  const [those, are] = untold === 1 ? ['1 instance', 'it is'] : [`${untold} instances`, 'they are'];
  return say`on hold for ${those}: the hosting service doesn't say any more whether ${are} meant`;
}
