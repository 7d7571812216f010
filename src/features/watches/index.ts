import type { Outbox } from '../../core/outbox/outbox.ts';
import type { Background } from '../../core/intake/feature.ts';
import type { Examiner } from '../../platform/slack/examiner.ts';
import type { Route } from '../../core/intake/route.ts';
import { createPlaces } from '../../core/policy/places.ts';
import { type AnswerDeps, answerRoutes } from './answer.ts';
import { type PollDeps, watchPollJob } from './poll.ts';
import { deadLetterHandlers } from './dead-letters.ts';
import { type ListWatchesDeps, watchesRoute } from './list.ts';
import { removeRoute, type SetWatchDeps, unwatchRoute, watchRoute } from './set-watch.ts';
import type { WatchPlaces, WatchStore } from './watch-store.ts';
import type { Holding } from '../../core/policy/holding.ts';
import { channel, say } from '../../platform/slack/phrase.ts';
import { ended } from './react.ts';
import { lineOf } from './watch.ts';

export type WatchesDeps = Omit<SetWatchDeps & ListWatchesDeps & PollDeps & AnswerDeps, 'places'> & {
  readonly watchPlaces: WatchPlaces;
  readonly outbox: Outbox;
  readonly examiner: Pick<Examiner, 'channel'>;
};

/** What people set and answer of watches: routes of the instances. */
export function watchRoutes(given: WatchesDeps): readonly Route[] {
  const { access, examiner, watchPlaces } = given;
  const places = createPlaces({
    access,
    examiner,
    permission: 'instances:place',
    isAllowed: async (channelId) => (await watchPlaces.get()).allowed.includes(channelId),
    choosing: (channelId) =>
      watchPlaces.moving(({ allowed }) => ({ allowed: [...new Set([...allowed, channelId])] })),
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
export { createWatchStore, WATCH_PLACES } from './watch-store.ts';
