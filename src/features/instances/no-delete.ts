import type { Route } from '../../core/intake/route.ts';
import { Refusal } from '../../core/refusal.ts';
import type { NoDeletion } from '../../platform/hosting/service.ts';
import { say } from '../../platform/slack/phrase.ts';
import { DELETES } from './removal.ts';
import { DELETE } from './route-ids.ts';

/** `/instances delete web-1` at a service at which the bot can delete nothing: why, and where it is done. */
export function noDeleteRoute(service: string, { notOffered }: NoDeletion): Route {
  return {
    id: DELETE,
    verb: 'delete',
    spoken: DELETES,
    permission: 'instances:read',
    writes: false,
    namesInstances: true,
    usage: '',
    summary: 'why I can delete nothing here',
    instead: say`I can delete nothing at ${service}. ${notOffered}`,
    handle: async () => {
      throw new Refusal('not-possible', say`I can delete nothing at ${service}. ${notOffered}`);
    },
  };
}
