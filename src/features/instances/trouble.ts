import { fromBefore } from '../../core/instances/messages.ts';
import { listOrLast } from '../../core/lookup/find-or-last.ts';
import type { Access } from '../../core/policy/access.ts';
import type { Route } from '../../core/intake/route.ts';
import type { HostingService } from '../../platform/hosting/service.ts';
import { troubleMessage } from './list-messages.ts';
import { inListOrder, isInTrouble } from './list-order.ts';
import { plain } from '../../platform/slack/phrase.ts';
import { TROUBLE_ROUTE } from './route-ids.ts';

/** What is only suggested need not be newer. */
const SUGGESTED_FRESH_MS = 60_000;

/** The part of the Home that says how the instances are, and which of them need somebody. */
export function troubleRoute({
  hosting,
  access,
}: {
  readonly hosting: HostingService;
  readonly access: Access;
}): Route {
  return {
    id: TROUBLE_ROUTE,
    verb: 'trouble',
    spoken: {
      asks: [
        '(anything|anyone|something|everything|any|what|which|ones) * (broken|wrong|failing|in trouble)',
        '(what|anything|something|who|which|ones) * (needs|need|wants) * (attention|help|somebody|someone|me|us|looking at)',
        'what (needs|need)',
        '(is|are) (everything|all|things) (ok|okay|good|fine|well|alright|up|healthy)',
        'is down help',
        'trouble',
      ],
    },
    permission: 'instances:read',
    writes: false,
    summary: 'how the instances are, and which of them need someone',
    suggests: async ({ actor, place: { channelId } }) => {
      const maySee = await access.which(actor, 'instances:read', channelId);
      const { instances } = await hosting.listInstances({ freshMs: SUGGESTED_FRESH_MS });
      const worst = inListOrder(instances.filter((one) => maySee(one) && isInTrouble(one)))[0];
      return worst
        ? { title: `What is wrong with ${plain(worst.name, 40)}?`, message: `show ${worst.id}` }
        : { title: 'What do we have?', message: 'list' };
    },
    handle: async ({ actor, place: { channelId } }) => {
      const maySee = await access.which(actor, 'instances:read', channelId);
      const { list, last } = await listOrLast(hosting);
      const { instances, ...of } = list;
      const seen = instances.filter(maySee);
      const shown = troubleMessage(seen, inListOrder(seen.filter(isInTrouble)), of);
      return last ? fromBefore(shown, last.readAtMs) : shown;
    },
  };
}
