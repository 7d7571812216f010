import type { Route } from '../../core/intake/route.ts';
import type { Bot } from '../../core/bot/bot.ts';
import { createPlaces } from '../../core/policy/places.ts';
import type { Audited } from './words.ts';
import { auditRoute } from './audit.ts';
import { historyRoute } from './history.ts';
import { storyRoute } from './story-route.ts';

/** Who did what, of everything: routes of the bot itself. */
export function auditRoutes(
  given: Omit<Audited, 'places'> & {
    /** Whether instances may be spoken of in a channel, whoever is there. */
    readonly isPlace: (channelId: string) => Promise<boolean>;
  },
): readonly Route[] {
  const places = createPlaces({
    ...given,
    permission: 'instances:place',
    isAllowed: given.isPlace,
    // To show something once chooses no channel.
    choosing: async () => undefined,
  });
  const deps = { ...given, places };
  return [storyRoute(deps), auditRoute(deps)];
}

/** Who did what with one instance: a route of the instances. */
export function historyRoutes(deps: Bot, keepMs: number): readonly Route[] {
  return [historyRoute(deps, keepMs)];
}

export { storyDeadLetters } from './share-story.ts';
export { STORY_ROUTE } from './story-route.ts';
