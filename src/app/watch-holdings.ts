import { createOneRecord } from '../core/records/one-record.ts';
import type { Outbox } from '../core/outbox/outbox.ts';
import type { Holdings } from '../core/policy/holding.ts';
import { AGENTS, type HeldAgentsDeps, listHeldAgents } from '../features/agents/index.ts';
import { STORY_ROUTE } from '../features/audit/index.ts';
import { RESTART_ROUTE, START_ROUTE } from '../features/instances/index.ts';
import { createWatchStore, listHeldWatches, type WatchesDeps } from '../features/watches/index.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import type { FaultPoints } from './fault-points.ts';

export interface WatchStoreDeps {
  readonly redis: RedisConnection;
  readonly outbox: Outbox;
  readonly faultPoints: FaultPoints;
}

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
