import type { Bot } from '../../core/bot/bot.ts';
import type { Background, Route } from '../../core/intake/route.ts';
import { recordOf } from '../../core/records/one-record.ts';
import { createPlaces } from '../../core/policy/places.ts';
import { answerRoutes } from './answer.ts';
import { watchPollJob } from './poll.ts';
import { deadLetterHandlers } from './dead-letters.ts';
import { watchesRoute } from './list.ts';
import { removeRoute, unwatchRoute, watchRoute } from './set-watch.ts';
import { WATCH_PLACES, type WatchStore, type Watching } from './watch-store.ts';
import type { Holding } from '../../core/policy/owned.ts';
import { channel, say } from '../../platform/slack/phrase.ts';
import { ended } from './react.ts';
import { lineOf } from './watch.ts';

/** Whether instances may be told of in a channel, whoever is there. */
export function createIsPlace(
  deps: Pick<Bot, 'redis' | 'faultPoints'>,
): (channelId: string) => Promise<boolean> {
  const places = recordOf(deps, WATCH_PLACES);
  return async (channelId) => (await places.get()).allowed.includes(channelId);
}

/** What people set and answer of watches: routes of the instances. */
export function watchRoutes(deps: Watching): readonly Route[] {
  const chosen = recordOf(deps, WATCH_PLACES);
  const places = createPlaces({
    ...deps,
    permission: 'instances:place',
    isAllowed: createIsPlace(deps),
    choosing: (channelId) =>
      chosen.moving(({ allowed }) => ({ allowed: [...new Set([...allowed, channelId])] })),
  });
  return [
    watchRoute(deps, places),
    unwatchRoute(deps),
    watchesRoute(deps),
    removeRoute(deps),
    ...answerRoutes(deps),
  ];
}

/** The looks at what is watched. */
export function watchesBackground(deps: Watching): Background {
  return {
    jobs: [watchPollJob(deps)],
    deadLetters: deadLetterHandlers(deps),
  };
}

/** The watches that people have set. */
export async function listHeldWatches(
  watches: Pick<WatchStore, 'listAll' | 'moving'>,
): Promise<readonly Holding[]> {
  const all = (await watches.listAll()).filter((one) => !one.ended);
  return all.map((watch) => ({
    userId: watch.setBy.userId,
    line: say`watch in ${channel(watch.channelId)}: ${lineOf(watch)}.`,
    end: ({ by, at }) => watches.moving(watch.id, (one) => ended(one, 'unwatched', at, by)),
  }));
}

export { ownedIncidents } from './owned.ts';
export { createWatchStore } from './watch-store.ts';
export type { Watching } from './watch-store.ts';
