import type { Route } from '../../core/intake/route.ts';
import type { Access } from '../../core/policy/access.ts';
import { createPlaces } from '../../core/policy/places.ts';
import type { Examiner } from '../../platform/slack/examiner.ts';
import { type AuditRouteDeps, auditRoute } from './audit.ts';
import { type HistoryDeps, historyRoute } from './history.ts';
import { type StoryDeps, storyRoute } from './story-route.ts';

type AuditDeps = AuditRouteDeps &
  Omit<StoryDeps, 'places' | 'access'> & {
    readonly access: Access;
    readonly examiner: Pick<Examiner, 'channel'>;
    /** Whether instances may be spoken of in a channel, whoever is there. */
    readonly isPlace: (channelId: string) => Promise<boolean>;
  };

/** Who did what, of everything: routes of the bot itself. */
export function auditRoutes(deps: AuditDeps): readonly Route[] {
  const places = createPlaces({
    ...deps,
    permission: 'instances:place',
    isAllowed: deps.isPlace,
    // To show something once chooses no channel.
    choosing: async () => undefined,
  });
  return [storyRoute({ ...deps, places }), auditRoute(deps)];
}

/** Who did what with one instance: a route of the instances. */
export function historyRoutes(deps: HistoryDeps): readonly Route[] {
  return [historyRoute(deps)];
}

export { storyDeadLetters } from './share-story.ts';
export { STORY_ROUTE } from './story-route.ts';
