import { inWords } from '../../core/ask/mend-words.ts';
import type { Route } from '../../core/intake/route.ts';
import { withInstead } from '../../core/intake/with-instead.ts';
import { sightOf } from '../../core/lookup/sight.ts';
import type { Offers } from '../../core/offers/offers.ts';
import type { Access } from '../../core/policy/access.ts';
import { say } from '../../platform/slack/phrase.ts';
import { watchList } from './list-messages.ts';
import { WATCH_ROUTES } from './route-ids.ts';
import { asKnown } from './scope.ts';
import { SPOKEN } from './spoken.ts';
import type { WatchStore } from './watch-store.ts';
import type { Watch } from './watch.ts';

export interface ListWatchesDeps {
  readonly watches: WatchStore;
  readonly access: Access;
  readonly offers: Offers;
}

/** `/instances watches`: what is watched in this channel, and what the person has set elsewhere. */
export function watchesRoute({ watches, access, offers }: ListWatchesDeps): Route {
  return {
    id: WATCH_ROUTES.watches,
    verb: 'watches',
    spoken: SPOKEN.watches,
    permission: 'instances:read',
    writes: false,
    usage: '',
    summary: 'what this channel hears of, each with Unwatch',
    handle: async (ask) => {
      const { actor, place } = ask;
      const all = (await watches.listAll()).filter((one) => !one.ended);
      const sight = await sightOf(access, actor, place.channelId);
      const isHere = ({ channelId }: Watch): boolean => channelId === place.channelId;
      const elsewhere = all.filter((one) => !isHere(one) && one.setBy.userId === actor.userId);
      const here = all.filter(isHere).flatMap((one) => asKnown(one, actor, sight) ?? []);
      return here.length + elsewhere.length > 0
        ? watchList(here, elsewhere)
        : withInstead(
            offers,
            { id: WATCH_ROUTES.watch, verb: 'watch' },
            { lines: [say`Nothing is watched in this channel.`] },
            [[inWords('Instances', 'name:prod-*')]],
            [],
            ask,
          );
    },
  };
}
