import type { Holdings, OwnedSource } from '../core/policy/owned.ts';
import { listHeldAgents } from '../features/agents/index.ts';
import { STORY_ROUTE } from '../features/audit/index.ts';
import { RESTART_ROUTE, START_ROUTE, ownedSchedules } from '../features/instances/index.ts';
import {
  createWatchStore,
  listHeldWatches,
  type Watching,
  ownedIncidents,
} from '../features/watches/index.ts';
import { calendarOf } from '../platform/redis/clock.ts';
import { ownedBatches } from '../core/batches/batches.ts';
import type { SeveralWords } from '../core/batches/words.ts';
import { ownedOperations } from '../core/operations/owned.ts';
import { ownedAccess } from '../features/access/index.ts';
import { ownedAlert } from '../features/billing/index.ts';
import type { Bot } from '../core/bot/bot.ts';

type Given = Pick<Bot, 'redis' | 'faultPoints' | 'outbox' | 'clock'>;

/** The watches of an account. */
export function createWatches(deps: Omit<Given, 'clock'>): Watching['watches'] {
  const routes = { startRoute: START_ROUTE, restartRoute: RESTART_ROUTE, storyRoute: STORY_ROUTE };
  return createWatchStore(deps, routes);
}

/** What people hold that stands in records of features other than access. */
export function createMoreHoldings(deps: Given): Holdings {
  const watches = createWatches(deps);
  return async () => (await Promise.all([listHeldWatches(watches), listHeldAgents(deps)])).flat();
}

/**
 * Where what is somebody's own is kept, in the order in which they read it. `wordsOf`: how a kind of operation speaks of several.
 */
export function ownedBy(
  deps: Bot,
  wordsOf: (kind: string) => SeveralWords | undefined,
): readonly OwnedSource[] {
  const { billing } = deps.hosting.about.offers;
  return [
    ...(billing === undefined ? [] : [ownedAlert(deps, billing)]),
    ownedIncidents({ ...deps, watches: createWatches(deps) }),
    ownedOperations(deps),
    ownedBatches({ ...deps, wordsOf }),
    // A pause lasts until a time of the calendar.
    ownedSchedules({ ...deps, clock: calendarOf(deps.clock) }),
    ownedAccess(deps),
  ];
}
