import { Refusal } from '../../../core/refusal.ts';
import type { Route } from '../../../core/intake/route.ts';
import { idOf } from '../../../platform/id.ts';
import { say } from '../../../platform/slack/phrase.ts';
import { look } from '../alerts/look.ts';
import { sharedMessage } from '../alerts/balance-face.ts';
import { following, toShow } from '../alerts/balance-seen.ts';
import { balanceIn } from '../alerts/seen.ts';
import { FIGURES } from '../places.ts';
import type { Billing } from '../billing.ts';

const SHARE = 'billing.share';

/** The button under a balance: shows it, as it is now, to everybody in a channel where it may stand. */
export function shareRoute(deps: Billing): Route {
  const { hosting, links, alarms, places, outbox, unit, clock, dailyCosts } = deps;
  return {
    id: SHARE,
    verb: 'share',
    permission: 'billing:read',
    writes: true,
    summary: 'show the balance to everyone in this channel',
    handle: async (ask) => {
      const { channelId } = ask.place;
      if (!(await places.isAllowed(channelId)))
        throw new Refusal(
          'not-a-place',
          say`Account figures can't be shown in this channel, so I didn't share them. They can be shown where alerts go. To see where, type /billing alerts.`,
        );
      const read = await look(hosting, clock.now, dailyCosts);
      // The id follows from the request, so that a request carried out twice shows it once.
      const id = idOf(`share ${ask.id}`);
      const { seen: last, level } = await alarms.get();
      const seen = following(read, balanceIn(last), {
        isShort: level !== 'ok',
        wasShort: level !== 'ok',
        by: '',
      });
      const { topUp } = links;
      const words = { unit, about: hosting.about, topUp };
      const content = sharedMessage(toShow(seen), ask.actor.userId, words);
      await outbox.post({ id, to: { channelId }, content, guard: FIGURES });
      return ask.replaces ? undefined : { lines: [say`Shared in this channel.`] };
    },
  };
}
