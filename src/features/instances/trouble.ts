import type { Access } from '../../core/policy/access.ts';
import type { Route } from '../../core/intake/route.ts';
import type { HostingService } from '../../platform/hosting/service.ts';
import { troubleMessage } from './list-messages.ts';
import { inListOrder, isInTrouble } from './list-order.ts';
import { TROUBLE_ROUTE } from './route-ids.ts';

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
    permission: 'instances:read',
    writes: false,
    summary: 'how the instances are, and which of them need somebody',
    handle: async ({ actor, place: { channelId } }) => {
      const maySee = await access.which(actor, 'instances:read', channelId);
      const { instances, ...of } = await hosting.listInstances();
      const seen = instances.filter(maySee);
      return troubleMessage(seen, inListOrder(seen.filter(isInTrouble)), of);
    },
  };
}
