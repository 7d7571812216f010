import {
  type Approvals,
  type ApprovalStore,
  createApprovals,
  createApprovalStore,
} from '../core/approvals/approvals.ts';
import { type Audit, createAudit } from '../core/audit/audit.ts';
import { type AuditReader, createAuditReader } from '../core/audit/audit-reader.ts';
import { type ConfirmationStore, createConfirmationStore } from '../core/confirmations/confirmation-store.ts';
import { createDurations, type Durations } from '../core/operations/durations.ts';
import { createButtonTokenStore, type ButtonTokenStore } from '../core/operations/button-token-store.ts';
import { createLookTimes, type LookTimes } from '../core/operations/look-times.ts';
import { createLatest } from '../core/operations/latest.ts';
import { createOperationStore, type OperationStore } from '../core/operations/operation-store.ts';
import { BATCH_JOB, OPERATION_JOB, WATCH_JOB } from '../core/operations/operations.ts';
import { createPastStore, type PastStore } from '../core/operations/recent-store.ts';
import { type BatchStore, createBatchStore } from '../core/batches/batch-store.ts';
import { createPreviewStore, type PreviewStore } from '../core/batches/preview.ts';
import { createDraftStore, type DraftStore } from '../core/schedules/draft-store.ts';
import { createScheduleStore, type ScheduleStore } from '../core/schedules/schedule-store.ts';
import { createSchedules, type Schedules } from '../core/schedules/schedules.ts';
import { BOARD_JOB } from '../core/boards/boards.ts';
import { type BoardStore, createBoardStore } from '../core/boards/board-store.ts';
import { createShownLists, type ShownLists } from '../core/lists/shown-lists.ts';
import { createFavourites, type Favourites } from '../core/lookup/favourites.ts';
import { createLanes, type Lanes } from '../core/outbox/lanes.ts';
import { createOutbox, createPostStore, type Outbox, type PostStore } from '../core/outbox/outbox.ts';
import { createPendingCommands, type PendingCommands } from '../core/requests/pending-commands.ts';
import { type AccessStore, createAccessStore } from '../core/policy/access-record.ts';
import {
  type AccessRequestStore,
  createAccessRequestStore,
  createLastAskStore,
  type LastAskStore,
} from '../core/policy/access-requests.ts';
import { REQUEST_JOB } from '../core/requests/request-job.ts';
import { createRequestStore, type RequestStore } from '../core/requests/request-store.ts';
import type { Timings } from '../core/timings.ts';
import type { Log } from '../platform/log/log.ts';
import { createLocalFirst, createQueue, type WorkQueue } from '../platform/queue/queue.ts';
import { createRunner, type Runner } from '../platform/queue/runner.ts';
import { createRedisClock, type RedisClock } from '../platform/redis/clock.ts';
import { connectFailFast, connectBlocking, type RedisConnection } from '../platform/redis/connection.ts';
import type { FaultPoints } from './fault-points.ts';

/** Everything that is kept in Redis, and the connections it is kept over. */
export interface Stores {
  /** For what a person waits for. */
  readonly failFast: RedisConnection;
  /** For what runs behind the queue, and waits for Redis. */
  readonly blocking: RedisConnection;
  readonly clock: RedisClock;
  readonly queue: WorkQueue;
  readonly billingQueue: WorkQueue;
  readonly requestQueue: WorkQueue;
  /** What runs in this process without a queue in between, where it works behind the queue. */
  readonly runner: Runner;
  readonly failFastStore: OperationStore;
  /** Over the connection that waits, where this process works behind the queue. */
  readonly store: OperationStore;
  readonly buttonTokens: ButtonTokenStore;
  readonly past: PastStore;
  readonly durations: Durations;
  readonly lookTimes: LookTimes;
  readonly requests: RequestStore;
  readonly pendingCommands: PendingCommands;
  readonly shownLists: ShownLists;
  readonly favourites: Favourites;
  readonly confirmationStore: ConfirmationStore;
  readonly lanes: Lanes;
  /** Over the connection that waits, where this process works behind the queue. */
  readonly boardStore: BoardStore;
  readonly failFastBatchStore: BatchStore;
  /** Over the connection that waits, where this process works behind the queue. */
  readonly batchStore: BatchStore;
  readonly previews: PreviewStore;
  readonly schedules: Schedules;
  /** Over the connection that waits, where this process works behind the queue. */
  readonly scheduleStore: ScheduleStore;
  readonly drafts: DraftStore;
  readonly accessStore: AccessStore;
  readonly accessRequests: AccessRequestStore;
  readonly lastAsks: LastAskStore;
  readonly audit: Audit;
  readonly approvals: Approvals;
  /** Over the connection that waits, where this process works behind the queue. */
  readonly approvalStore: ApprovalStore;
  readonly auditReader: AuditReader;
  /** Over the connection that waits, where this process works behind the queue. */
  readonly posts: PostStore;
  readonly outbox: Outbox;
}

export function createStores({
  redisUrl,
  isWorker,
  timings,
  faultPoints,
  log,
}: {
  redisUrl: string;
  isWorker: boolean;
  timings: Timings;
  faultPoints: FaultPoints;
  log: Log;
}): Stores {
  const onError = (error: Error): void => log.limited('redis', error);
  const failFast = connectFailFast(redisUrl, onError);
  const blocking = connectBlocking(redisUrl, onError);
  const clock = createRedisClock(failFast);
  const audit = faultPoints('audit', createAudit(failFast));
  const blockingAudit = createAudit(blocking);
  const records = { clock, timings, log, latest: createLatest() };
  const failFastStore = faultPoints(
    'operations',
    createOperationStore({ ...records, redis: failFast, audit }),
  );
  const runner = createRunner([OPERATION_JOB, REQUEST_JOB, WATCH_JOB, BOARD_JOB, BATCH_JOB]);
  const queue = faultPoints('queue', createLocalFirst(createQueue(failFast, 'operations'), runner));
  const requestQueue = createLocalFirst(createQueue(failFast, 'requests'), runner);
  const outbox = faultPoints(
    'outbox',
    createOutbox({ posts: createPostStore(failFast, timings), queue, clock }),
  );
  const posts = faultPoints('posts', createPostStore(isWorker ? blocking : failFast, timings));
  return {
    failFast,
    blocking,
    clock,
    queue,
    billingQueue: faultPoints('billing queue', createQueue(failFast, 'billing')),
    requestQueue: faultPoints('request queue', requestQueue),
    runner,
    failFastStore,
    store: isWorker
      ? faultPoints('operations', createOperationStore({ ...records, redis: blocking, audit: blockingAudit }))
      : failFastStore,
    buttonTokens: faultPoints('button tokens', createButtonTokenStore(failFast)),
    past: faultPoints('past', createPastStore(failFast)),
    durations: faultPoints('durations', createDurations(failFast)),
    lookTimes: createLookTimes(failFast, timings),
    requests: faultPoints('requests', createRequestStore(failFast, clock, timings, audit)),
    pendingCommands: faultPoints('pending commands', createPendingCommands(failFast)),
    favourites: faultPoints('favourites', createFavourites(failFast)),
    shownLists: faultPoints('shown lists', createShownLists(failFast)),
    confirmationStore: faultPoints('confirmations', createConfirmationStore(failFast)),
    posts,
    outbox,
    approvals: faultPoints(
      'approvals',
      createApprovals({ store: createApprovalStore(failFast, audit), outbox, queue, clock }),
    ),
    approvalStore: faultPoints(
      'approval record',
      isWorker ? createApprovalStore(blocking, blockingAudit) : createApprovalStore(failFast, audit),
    ),
    accessRequests: faultPoints('access requests', createAccessRequestStore(failFast)),
    lastAsks: faultPoints('last asks', createLastAskStore(failFast)),
    accessStore: faultPoints('access record', createAccessStore(failFast, audit)),
    audit,
    auditReader: createAuditReader(failFast),
    boardStore: faultPoints('boards', createBoardStore(isWorker ? blocking : failFast, timings, clock)),
    failFastBatchStore: faultPoints('batches', createBatchStore(failFast, audit)),
    batchStore: faultPoints(
      'batches',
      isWorker ? createBatchStore(blocking, blockingAudit) : createBatchStore(failFast, audit),
    ),
    previews: faultPoints('previews', createPreviewStore(failFast)),
    ...createForSchedules({ failFast, blocking, audit, blockingAudit, isWorker, queue, clock, faultPoints }),
    lanes: faultPoints('lanes', createLanes(isWorker ? blocking : failFast, timings)),
  };
}

function createForSchedules({
  failFast,
  blocking,
  audit,
  blockingAudit,
  isWorker,
  queue,
  clock,
  faultPoints,
}: Pick<Stores, 'failFast' | 'blocking' | 'audit' | 'queue' | 'clock'> & {
  readonly blockingAudit: Audit;
  readonly isWorker: boolean;
  readonly faultPoints: FaultPoints;
}): Pick<Stores, 'schedules' | 'scheduleStore' | 'drafts'> {
  const store = createScheduleStore(failFast, audit, clock);
  const ofWorker = isWorker ? createScheduleStore(blocking, blockingAudit, clock) : store;
  return {
    schedules: faultPoints('schedules', createSchedules({ scheduleStore: store, queue })),
    scheduleStore: faultPoints('schedule record', ofWorker),
    drafts: faultPoints('drafts', createDraftStore(failFast)),
  };
}
