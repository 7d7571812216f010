import type { Access } from '../../core/policy/access.ts';
import type { Route } from '../../core/routing/route.ts';
import type { HostingService, Instance } from '../../platform/hosting/service.ts';
import { parseFilters } from '../../core/lookup/filter.ts';
import { pageOf } from './list-page.ts';
import { instanceList, LIST_ROUTE } from './list-messages.ts';

export interface ListDeps {
  readonly hosting: HostingService;
  readonly access: Access;
}

/** What needs somebody comes first, then by name. */
const NEEDS_SOMEBODY = ['error', 'deploy_failed', 'paused', 'unknown', 'pending_configuration'];

/** `/instances`, `/instances list status:running name:web-*`. */
export function listRoute({ hosting, access }: ListDeps): Route {
  return {
    id: LIST_ROUTE,
    verb: 'list',
    aliases: ['ls'],
    synonyms: ['all', 'ps'],
    topics: [
      {
        words: ['filters', 'filter'],
        usage: 'status:running,stopped tier:pro name:web-* -health:healthy',
        summary: 'filters: a space is AND, a comma is OR, a leading - is NOT, and * is any run of characters',
      },
    ],
    permission: 'instances:read',
    writes: false,
    usage: '[status:… tier:… name:web-* health:… older:30d]',
    summary: 'list instances',
    handle: async (ask) => {
      const page = pageOf(ask);
      const passes = parseFilters(page.words, ask.askedAt);
      const { instances: all, ...of } = await hosting.listInstances();
      const maySee = await access.which(ask.actor, 'instances:read', ask.place.channelId);
      const instances = all.filter(maySee);
      return instanceList(instances.filter(passes).toSorted(byNeed), instances.length, of, page);
    },
  };
}

function byNeed(one: Instance, other: Instance): number {
  const need = (instance: Instance): number => (NEEDS_SOMEBODY.includes(instance.status) ? 0 : 1);
  return need(one) - need(other) || one.name.localeCompare(other.name);
}
