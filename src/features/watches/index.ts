import type { Bot } from '../../core/bot/bot.ts';
import type { Background } from '../../core/intake/feature.ts';
import { recordOf } from '../../core/records/one-record.ts';
import type { Route } from '../../core/intake/route.ts';
import { createPlaces } from '../../core/policy/places.ts';
import { type AnswerDeps, answerRoutes } from './answer.ts';
import { type PollDeps, watchPollJob } from './poll.ts';
import { deadLetterHandlers } from './dead-letters.ts';
import { type ListWatchesDeps, watchesRoute } from './list.ts';
import { removeRoute, type SetWatchDeps, unwatchRoute, watchRoute } from './set-watch.ts';
import { WATCH_PLACES, type WatchStore } from './watch-store.ts';
import type { Holding } from '../../core/policy/holding.ts';
import { channel, say } from '../../platform/slack/phrase.ts';
import { ended } from './react.ts';
import { lineOf } from './watch.ts';

export type WatchesDeps = Omit<SetWatchDeps & ListWatchesDeps & PollDeps & AnswerDeps, 'places'>;

/** Whether instances may be told of in a channel, whoever is there. */
export function createIsPlace(
  deps: Pick<Bot, 'redis' | 'faultPoints'>,
): (channelId: string) => Promise<boolean> {
  const places = recordOf(deps, WATCH_PLACES);
  return async (channelId) => (await places.get()).allowed.includes(channelId);
}

/** What people set and answer of watches: routes of the instances. */
export function watchRoutes(given: WatchesDeps): readonly Route[] {
  const chosen = recordOf(given, WATCH_PLACES);
  const places = createPlaces({
    ...given,
    permission: 'instances:place',
    isAllowed: createIsPlace(given),
    choosing: (channelId) =>
      chosen.moving(({ allowed }) => ({ allowed: [...new Set([...allowed, channelId])] })),
  });
  const deps = { ...given, places };
  return [watchRoute(deps), unwatchRoute(deps), watchesRoute(deps), removeRoute(deps), ...answerRoutes(deps)];
}

/** The looks at what is watched. */
export function watchesBackground(deps: WatchesDeps): Background {
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
