import { createOneRecord } from '../core/records/one-record.ts';
import type { Holdings } from '../core/policy/holding.ts';
import { AGENTS, type HeldAgentsDeps, listHeldAgents } from '../features/agents/index.ts';
import { STORY_ROUTE } from '../features/audit/index.ts';
import { RESTART_ROUTE, START_ROUTE, ownedSchedules } from '../features/instances/index.ts';
import {
  createWatchStore,
  listHeldWatches,
  type WatchesDeps,
  ownedIncidents,
} from '../features/watches/index.ts';
import type { FaultPoints } from './fault-points.ts';
import { calendarOf, type RedisClock } from '../platform/redis/clock.ts';
import type { Approvals } from '../core/approvals/approvals.ts';
import type { AccessStore } from '../core/policy/access-record.ts';
import type { AccessRequestStore } from '../core/policy/access-requests.ts';
import type { OwnedSource } from '../core/policy/owned.ts';
import { type Batches, ownedBatches } from '../core/batches/batches.ts';
import type { SeveralWords } from '../core/batches/words.ts';
import type { Operations } from '../core/operations/operations.ts';
import { ownedOperations } from '../core/operations/owned.ts';
import type { Schedules } from '../core/schedules/schedules.ts';
import { ownedAccess } from '../features/access/index.ts';
import { ALARM } from '../features/billing/alerts/alarm-store.ts';
import { ownedAlert } from '../features/billing/index.ts';
import { handoverDeadLetters, type HandoverDeps, handoverRoutes } from '../features/handover/index.ts';
import type { Background } from '../core/intake/feature.ts';
import type { Route } from '../core/intake/route.ts';
import type { AboutService } from '../platform/hosting/service.ts';
import type { WorkQueue } from '../platform/queue/queue.ts';
import type { Bot } from '../core/bot/bot.ts';

export type WatchStoreDeps = Pick<Bot, 'redis' | 'outbox'> & { readonly faultPoints: FaultPoints };

/** The watches of an account. */
export function createWatches({ redis, outbox, faultPoints }: WatchStoreDeps): WatchesDeps['watches'] {
  const routes = { startRoute: START_ROUTE, restartRoute: RESTART_ROUTE, storyRoute: STORY_ROUTE };
  return faultPoints('watches', createWatchStore(redis, { outbox, ...routes }));
}

/** What people hold that stands in records of features other than access. */
export function createMoreHoldings(deps: WatchStoreDeps & Omit<HeldAgentsDeps, 'agents'>): Holdings {
  const watches = createWatches(deps);
  const agents = deps.faultPoints('agents', createOneRecord(deps.redis, AGENTS));
  return async () =>
    (await Promise.all([listHeldWatches(watches), listHeldAgents({ ...deps, agents })])).flat();
}

type Given = Omit<HandoverDeps, 'sources'> &
  WatchStoreDeps & {
    readonly hosting: { readonly about: Pick<AboutService, 'offers'> };
    readonly accessStore: AccessStore;
    readonly accessRequests: AccessRequestStore;
    readonly approvals: Approvals;
    readonly schedules: Schedules;
    readonly operations: Operations;
    readonly batches: Batches;
    readonly queue: WorkQueue;
    readonly clock: RedisClock;
  };

/** What is somebody's own, and how it passes to another. `wordsOf`: how a kind of operation speaks of several. */
export function handoversOf(
  deps: Given,
  wordsOf: (kind: string) => SeveralWords | undefined,
): readonly Route[] {
  return handoverRoutes({ ...deps, sources: sourcesOf(deps, wordsOf) });
}

/** What is done where who was asked can't be reached. */
export function handoverBackground(deps: Pick<HandoverDeps, 'offers' | 'outbox'>): Background {
  return { deadLetters: handoverDeadLetters(deps) };
}

/** Where the open things of people are kept, in the order in which they read them. */
function sourcesOf(deps: Given, wordsOf: (kind: string) => SeveralWords | undefined): readonly OwnedSource[] {
  const { redis, faultPoints, hosting } = deps;
  const { billing } = hosting.about.offers;
  const store = faultPoints('alarm', createOneRecord(redis, ALARM));
  return [
    ...(billing === undefined ? [] : [ownedAlert({ ...deps, store }, billing)]),
    ownedIncidents({ ...deps, watches: createWatches(deps) }),
    ownedOperations(deps),
    ownedBatches({ ...deps, wordsOf }),
    // A pause lasts until a time of the calendar.
    ownedSchedules({ ...deps, clock: calendarOf(deps.clock) }),
    ownedAccess(deps),
  ];
}
