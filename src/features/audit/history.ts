import { attemptsOf } from '../../core/audit/attempts.ts';
import type { AuditReader } from '../../core/audit/audit-reader.ts';
import { resolveLoosely } from '../../core/lookup/resolve.ts';
import { nameOf } from '../../core/lookup/messages.ts';
import type { Operations } from '../../core/operations/operations.ts';
import type { Access } from '../../core/policy/access.ts';
import type { Route } from '../../core/routing/route.ts';
import type { HostingService } from '../../platform/hosting/service.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { say } from '../../platform/slack/phrase.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { historyMessage } from './messages.ts';

export interface HistoryDeps {
  readonly auditReader: AuditReader;
  readonly hosting: HostingService;
  readonly access: Access;
  readonly operations: Pick<Operations, 'find' | 'linkTo'>;
  readonly clock: Pick<RedisClock, 'now'>;
}

const VERB = { verb: 'see the history of', routeId: 'instances.history' };
const MAX_READ = 60;
const LAST_MS = 30 * DAY_MS;

/** `/instances history web-1`: what was done with one instance and by whom, with links to the cards. */
export function historyRoute(deps: HistoryDeps): Route {
  const { auditReader, hosting, access, operations, clock } = deps;
  return {
    id: VERB.routeId,
    verb: 'history',
    synonyms: ['log', 'audit'],
    permission: 'instances:read',
    writes: false,
    usage: '<name or id>',
    summary: 'what was done with one instance, and by whom',
    handle: async (ask) => {
      const instance = await resolveLoosely(hosting, VERB, ask.words.join(' '));
      await access.require(ask.actor, 'instances:read', {
        target: instance,
        channelId: ask.place.channelId,
      });
      const recorded = await auditReader.read(
        ({ what, target }) => target?.id === instance.id && (what === 'asked' || what === 'ended'),
        { limit: MAX_READ, since: clock.now() - LAST_MS },
      );
      const attempts = attemptsOf(recorded.map(({ entry }) => entry));
      const links = await Promise.all(
        attempts.map(async ({ entry }) => {
          const operation = await operations.find(entry.ref);
          return operation ? operations.linkTo(operation) : say``;
        }),
      );
      return historyMessage(nameOf(instance), attempts, links);
    },
  };
}
