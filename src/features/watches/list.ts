import { inWords } from '../../core/ask/mend-words.ts';
import type { Route } from '../../core/intake/route.ts';
import { withInstead } from '../../core/intake/typed-button.ts';
import { sightOf } from '../../core/lookup/sight.ts';
import { say } from '../../platform/slack/phrase.ts';
import { watchList } from './list-messages.ts';
import { WATCH_ROUTES } from './card-buttons.ts';
import { asKnown } from './scope.ts';
import type { Spoken } from '../../core/sentences/phrasebook.ts';
import type { Watch } from './watch.ts';
import type { Watching } from './watch-store.ts';

/** How people ask for what a channel hears of. */
export const SPOKEN: Readonly<Record<'watch' | 'unwatch' | 'watches', Spoken>> = {
  watch: {
    orders: [
      ['(watch|monitor|observe) <x>', '{xs}'],
      ['(start|begin) (watching|monitoring) <x>', '{xs}'],
      ['keep (eye|eyes) on <x> (and tell|and ping|and tell us|and tell <that> channel)?', '{xs}'],
      [
        '(let|tell|ping|notify|alert|warn) (us|us here|here|channel|<that> channel)? (know)? (here)? (when|if|whenever) <x> (dies|die|breaks|break|fails|fail|stops|stop|crashes|crash|is down|goes down|go down|changes|restarts)',
        '{xs}',
      ],
      ['subscribe to <x>', '{xs}'],
    ],
  },
  unwatch: {
    orders: [
      [
        '(do not|stop) (tell|telling|ping|pinging|notify|notifying|alert|alerting|warn|warning) (us|here|channel)? about <x> (here|in here|any more)?',
        '{xs}',
      ],
      ['(unwatch|unmonitor) <x>', '{xs}'],
      ['(stop|quit) (watching|monitoring) <x>', '{xs}'],
      ['unsubscribe from <x>', '{xs}'],
    ],
  },
  watches: {
    asks: [
      '(channel|we|us|here) * (told|hear|notified|informed|pinged)',
      '(what|which|who|anything) * (watching|watched|monitoring|monitored)',
      '(watches|monitors)',
      '(what|which) * (watch|monitor)',
      ['(stop|quit|end) (watching|monitoring|watches)', ''],
    ],
  },
};

/** `/instances watches`: what is watched in this channel, and what the person has set elsewhere. */
export function watchesRoute({ watches, access, offers }: Watching): Route {
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
