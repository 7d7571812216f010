import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Traces } from '../platform/traces/traces.ts';
import type { Audit } from '../core/records/audit.ts';
import { createRunOperation } from '../core/operations/run.ts';
import type { OperationStore } from '../core/operations/operation-store.ts';
import type { PastStore } from '../core/operations/recent-store.ts';
import { createAskerNotice } from '../core/operations/send-asker-notice.ts';
import {
  BATCH_JOB,
  POLL_ID,
  POLL_JOB,
  OPERATION_JOB,
  type Operations,
  SCHEDULE_JOB,
} from '../core/operations/operations.ts';
import { createMarkUsedButton } from '../core/operations/mark-used-button.ts';
import { createSend, type SendDeps } from '../core/operations/send.ts';
import { createPostMessages } from '../core/operations/post-messages.ts';
import type { AttemptLimit } from '../core/operations/attempt-limit.ts';
import { createPoller } from '../core/operations/poller.ts';
import type { Runner } from '../platform/queue/runner.ts';
import { wordsOfSeveral } from './features.ts';
import type { Changes } from './features-deps.ts';
import type { Sweeps, SweptKind } from '../core/sweep.ts';
import type { WorkQueue } from '../platform/queue/queue.ts';
import { createRunJob, handlersAtOneRedis, type JobHandler } from '../platform/queue/run-job.ts';
import type { JobWorker } from '../platform/queue/worker.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import { calendarOf } from '../platform/redis/clock.ts';
import type { Background } from '../core/intake/feature.ts';
import { type BoardStore, boardKeys } from '../core/boards/board-store.ts';
import { createBatchJob, createBatchHeaders } from '../core/batches/batch-job.ts';
import { type BatchStore, batchKeys } from '../core/batches/batch-store.ts';
import { createBatches } from '../core/batches/batches.ts';
import type { Holidays } from '../core/policy/holidays-section.ts';
import { createScheduleJob } from '../core/schedules/schedule-job.ts';
import { type ScheduleStore, scheduleKeys } from '../core/schedules/schedule-store.ts';
import type { Change } from '../core/changes/change.ts';
import type { ApprovalRule } from '../core/policy/approval.ts';
import type { HostingService } from '../platform/hosting/service.ts';
import type { People } from '../platform/slack/people.ts';
import { BOARD_JOB, createBoards } from '../core/boards/boards.ts';
import { operationKeys } from '../core/operations/keys.ts';
import { requestKeys } from '../core/ask/keys.ts';
import { createBoardJob } from '../core/boards/board-job.ts';
import { CANCEL_ROUTE } from '../features/lamplighter/cancel.ts';
import { BOARD_ROUTE } from '../features/lamplighter/board.ts';
import type { Threads } from '../core/threads/threads.ts';
import type { Lanes } from '../core/outbox/lanes.ts';
import { createApprovalJob, sweptApprovals } from '../core/approvals/approval-job.ts';
import { APPROVAL_JOB, type ApprovalStore } from '../core/approvals/approvals.ts';
import { type Outbox, POST_JOB, type PostStore } from '../core/outbox/outbox.ts';
import { outboxKeys } from '../core/outbox/keys.ts';
import type { WayOut } from '../platform/http/way-out.ts';
import { createCouriers } from './couriers.ts';
import type { FaultPoints } from './fault-points.ts';
import { createSendPosts } from '../core/outbox/send-posts.ts';
import type { Favorites } from '../core/lookup/favorites.ts';
import type { Answer } from '../core/intake/answer.ts';
import { createRequestJob, REQUEST_JOB } from '../core/intake/request-job.ts';
import type { RequestStore } from '../core/intake/request-store.ts';
import type { Messenger } from '../platform/slack/messenger.ts';
import type { ResponseUrls } from '../platform/slack/response-url.ts';
import type { RouteTable } from '../core/intake/routes.ts';

export interface JobsDeps extends Omit<SendDeps, 'wakePoller'> {
  readonly queue: WorkQueue;
  readonly attempts: AttemptLimit;
  readonly operations: Operations;
  readonly past: PastStore;
  readonly store: OperationStore;
  readonly metrics: Metrics;
  readonly traces: Traces;
  readonly requests: RequestStore;
  readonly runner: Runner;
  readonly routes: RouteTable;
  readonly audit: Audit;
  readonly answer: Answer;
  readonly messenger: Messenger;
  readonly lanes: Lanes;
  readonly threads: Threads;
  readonly boardStore: BoardStore;
  readonly batchStore: BatchStore;
  readonly scheduleStore: ScheduleStore;
  readonly holidays: () => Holidays;
  readonly favorites: Favorites;
  readonly people: People;
  readonly hosting: HostingService;
  readonly approvalRules: () => readonly ApprovalRule[];
  readonly changes: Changes;
  readonly posts: PostStore;
  readonly outbox: Outbox;
  readonly approvalStore: ApprovalStore;
  readonly admins: () => readonly string[];
  readonly responseUrls: ResponseUrls;
  /** What says who takes posts to places outside of Slack. */
  readonly config: Parameters<typeof createCouriers>[0];
  readonly wayOut: WayOut;
  readonly faultPoints: FaultPoints;
  /** What features do of their own accord. */
  readonly background: readonly Background[];
  /** A connection that waits for Redis. */
  readonly redis: RedisConnection;
  readonly worker: JobWorker;
  readonly sweeps: Sweeps;
  /** Put before each key of the account. */
  readonly scope: string;
}

/** What runs behind the queue in this process. */
export interface Jobs {
  /** Takes no new job and waits for the running ones, at most `limitMs`. */
  drain(limitMs: number): Promise<void>;
}

/** Starts what the worker runs of an account, the poller of its hosting service and the sweeps that bring back what was lost to them. */
export function startJobs(given: JobsDeps): Jobs {
  const { runner, background, timings, worker, sweeps, scope, log } = given;
  const deps = { ...given, wakePoller: () => runner.wake(POLL_JOB, POLL_ID) };
  const calendar = calendarOf(deps.clock);
  const guards = Object.fromEntries(background.flatMap((one) => Object.entries(one.guards ?? {})));
  const deadLetters = Object.fromEntries(background.flatMap((one) => Object.entries(one.deadLetters ?? {})));
  const ofBatches = { ...deps, batches: createBatches(deps), wordsOf: wordsOfSeveral(deps.changes) };
  const runOperation = createRunOperation({
    ...deps,
    parts: [
      createSend(deps),
      createPostMessages({ ...deps, boards: createBoards({ ...deps, cancelRoute: CANCEL_ROUTE }) }),
      createAskerNotice(deps),
      createMarkUsedButton(deps),
    ],
  });
  const poll = createPoller(deps);
  const local = {
    // A person waits for the answer: it says what went wrong, and what it says is written down first.
    [REQUEST_JOB]: createRequestJob({ ...deps, routes: deps.routes.byId }),
    ...handlersAtOneRedis({
      [OPERATION_JOB]: runOperation,
      [POLL_JOB]: (_id: string, signal: AbortSignal) => poll(signal),
    }),
  };
  runner.start(createRunJob(local, timings, log));
  const handlers = {
    ...Object.fromEntries(background.flatMap((one) => Object.entries(one.handlers))),
    ...Object.fromEntries(Object.keys(local).map((name) => [name, runHere(runner, name)])),
    [BOARD_JOB]: createBoardJob({
      ...deps,
      headers: createBatchHeaders(ofBatches),
      showBoardRoute: BOARD_ROUTE,
    }),
    [BATCH_JOB]: createBatchJob(ofBatches),
    [SCHEDULE_JOB]: createScheduleJob({
      ...ofBatches,
      clock: calendar,
      changeOf: changesBySeveral(deps.changes),
    }),
    [APPROVAL_JOB]: createApprovalJob({ ...deps, approvals: deps.approvalStore }),
    [POST_JOB]: createSendPosts({
      ...deps,
      couriers: createCouriers(given.config, given),
      guards,
      deadLetters,
    }),
  };
  const served = worker.serve(scope, createRunJob(handlersAtOneRedis(handlers), timings, log));
  const kinds = [...sweptKinds(deps), ...background.flatMap(({ swept }) => swept)];
  const stopSweeps = sweeps.add({ scope, queue: deps.queue, kinds, log });
  return {
    drain: async (limitMs) => {
      stopSweeps();
      await Promise.all([served, runner].map((one) => one.drain(limitMs)));
    },
  };
}

/** The job of each record of core, where it is filed by when it is due. */
function sweptKinds(deps: JobsDeps): readonly SweptKind[] {
  const { store, requests, posts, boardStore, batchStore, scheduleStore, approvalStore, clock, timings } =
    deps;
  return [
    { job: OPERATION_JOB, index: operationKeys.open, listDue: store.listDue },
    {
      job: POLL_JOB,
      index: operationKeys.polled,
      listDue: async (before) => {
        const nextAt = await store.nextPollAt();
        return nextAt !== undefined && nextAt < before ? [POLL_ID] : [];
      },
    },
    {
      job: REQUEST_JOB,
      index: requestKeys.open,
      listDue: requests.listDue,
      // Longer than a person's wait: what could not be written down for certain is revoked before this.
      overdueMs: 2 * timings.writeDownWithinMs,
    },
    { job: POST_JOB, index: outboxKeys.open, listDue: posts.listDue },
    { job: BOARD_JOB, index: boardKeys.open, listDue: boardStore.listDue },
    { job: BATCH_JOB, index: batchKeys.open, listDue: batchStore.listDue },
    {
      job: SCHEDULE_JOB,
      index: scheduleKeys.open,
      // Due by the calendar.
      listDue: (before) => scheduleStore.listDue(clock.atRedis(before)),
      isSeldom: true,
    },
    sweptApprovals(approvalStore),
  ];
}

/** What a process without jobs has woken runs as if this one had. */
function runHere(runner: Runner, name: string): JobHandler {
  return async (id) => {
    runner.wake(name, id);
    return undefined;
  };
}

/** The change of a verb that takes several instances. */
function changesBySeveral({ instances }: Changes): (verb: string) => Change | undefined {
  return (verb) => instances.find(({ several }) => several?.verb === verb);
}
