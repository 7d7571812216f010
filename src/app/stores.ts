import { createOneRecord } from '../core/records/one-record.ts';
import { type Approvals, APPROVALS, createApprovals } from '../core/approvals/approvals.ts';
import { type Audit, createAudit } from '../core/records/commit.ts';
import { createRecords } from '../core/records/records.ts';
import { type AuditReader, createAuditReader } from '../core/audit/audit-reader.ts';
import { createOffers, type Offers } from '../core/offers/offers.ts';
import {
  createDurations,
  createTimesStore,
  type Durations,
  createPastStore,
  type PastStore,
} from '../core/operations/past.ts';
import { createPollTimes, type PollTimes } from '../core/operations/poll-times.ts';
import { createLatest } from '../core/operations/latest.ts';
import { createOperationStore, type OperationStore } from '../core/operations/operation-store.ts';
import { createScheduleStore, createSchedules, type Schedules } from '../core/schedules/schedule-store.ts';
import { createWaysBack } from '../core/schedules/ways-back.ts';
import type { WaysBack } from '../core/operations/way-back.ts';
import { type BoardStore, createBoardStore } from '../core/boards/board-store.ts';
import { createFavorites, type Favorites } from '../core/lookup/favorites.ts';
import { createThreads, type Threads } from '../core/threads/threads.ts';
import { createLanes, type Lanes } from '../core/outbox/lanes.ts';
import { createOutbox, type Outbox } from '../core/outbox/outbox.ts';
import { ACCESS, type AccessStore } from '../core/policy/access-record.ts';
import { ACCESS_REQUESTS, type AccessRequestStore } from '../core/policy/access-requests.ts';
import { createRequestStore, type RequestStore } from '../core/intake/request-store.ts';
import { createRunner, type Runner } from '../platform/queue/runner.ts';
import { createLocalFirst, type SharedQueue, type WorkQueue } from '../platform/queue/queue.ts';
import { calendarOf, type RedisClock } from '../platform/redis/clock.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import { type Connections, connectionsOf, type SharedRedis } from './redis.ts';
import type { Bot } from '../core/bot/bot.ts';

/** Everything that is kept in Redis, and the connections it is kept over. */
export interface Stores {
  /** For what a person waits for. */
  readonly failFast: RedisConnection;
  /** For what runs behind the queue, and waits for Redis. */
  readonly blocking: RedisConnection;
  readonly clock: RedisClock;
  readonly queue: WorkQueue;
  /** What runs in this process without a queue in between, where it works behind the queue. */
  readonly runner: Runner;
  readonly failFastStore: OperationStore;
  /** Over the connection that waits, where this process works behind the queue. */
  readonly store: OperationStore;
  readonly offers: Offers;
  readonly past: PastStore;
  readonly durations: Durations;
  readonly pollTimes: PollTimes;
  readonly requests: RequestStore;
  readonly favorites: Favorites;
  readonly lanes: Lanes;
  readonly threads: Threads;
  /** Over the connection that waits, where this process works behind the queue. */
  readonly boardStore: BoardStore;
  readonly schedules: Schedules;
  readonly waysBack: WaysBack;
  readonly accessStore: AccessStore;
  readonly accessRequests: AccessRequestStore;
  readonly audit: Audit;
  readonly approvals: Approvals;
  readonly auditReader: AuditReader;
  readonly outbox: Outbox;
}

/** `scope`: put before every key, so that nothing of one account is found by another; empty where there is one account. */
export function createStores({
  scope,
  shared,
  jobQueue,
  workspaceRedis,
  isWorker,
  holidays,
  timings,
  faultPoints,
  log,
}: Pick<Bot, 'timings' | 'log' | 'holidays' | 'faultPoints'> & {
  readonly scope: string;
  readonly shared: SharedRedis;
  readonly jobQueue: SharedQueue;
  /** For what all accounts of a workspace share. */
  readonly workspaceRedis: Connections;
  readonly isWorker: boolean;
}): Stores {
  const { failFast, blocking } = connectionsOf(shared, scope);
  const { clock } = shared;
  const audit = faultPoints('audit', createAudit(failFast));
  const runner = createRunner();
  const queue = faultPoints('queue', createLocalFirst(jobQueue.of(scope), runner));
  const outbox = faultPoints('outbox', createOutbox({ redis: failFast, queue, clock, timings }));
  const records = { outbox, clock, timings, log, latest: createLatest() };
  const failFastStore = faultPoints('operations', createOperationStore({ ...records, redis: failFast }));
  const scheduleStore = createScheduleStore({ redis: failFast, outbox, clock });
  const [past, times] = [createPastStore(failFast), createTimesStore(failFast)];
  return {
    failFast,
    blocking,
    clock,
    queue,
    runner,
    failFastStore,
    store: isWorker
      ? faultPoints('operations', createOperationStore({ ...records, redis: blocking }))
      : failFastStore,
    offers: faultPoints('offers', createOffers(failFast)),
    past: faultPoints('past', past),
    durations: faultPoints('durations', createDurations(past, times)),
    pollTimes: createPollTimes(times, timings),
    requests: faultPoints('requests', createRequestStore(failFast, clock, timings)),
    favorites: faultPoints('favorites', createFavorites(failFast)),
    threads: faultPoints('threads', createThreads(failFast)),
    outbox,
    approvals: faultPoints(
      'approvals',
      createApprovals({ redis: failFast, store: createRecords(failFast, APPROVALS), outbox, queue, clock }),
    ),
    accessRequests: faultPoints('access requests', createRecords(failFast, ACCESS_REQUESTS)),
    accessStore: faultPoints('access record', createOneRecord(failFast, ACCESS)),
    audit,
    auditReader: createAuditReader(failFast),
    boardStore: faultPoints('boards', createBoardStore(isWorker ? blocking : failFast, timings, clock)),
    schedules: faultPoints('schedules', createSchedules({ scheduleStore, queue, holidays })),
    waysBack: createWaysBack({ scheduleStore, queue, clock: calendarOf(clock) }),
    // Slack limits what one bot says in a channel, whichever account it is about.
    lanes: faultPoints(
      'lanes',
      createLanes(isWorker ? workspaceRedis.blocking : workspaceRedis.failFast, clock, timings),
    ),
  };
}
