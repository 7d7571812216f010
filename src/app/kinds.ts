import { createApprovalJob } from '../core/approvals/approval-job.ts';
import { APPROVALS } from '../core/approvals/approvals.ts';
import { requestKeys } from '../core/ask/keys.ts';
import { createBatchHeaders, createBatchJob } from '../core/batches/batch-job.ts';
import { BATCHES } from '../core/batches/batch-store.ts';
import { createBatches } from '../core/batches/batches.ts';
import { createBoardJob } from '../core/boards/board-job.ts';
import { BOARDS } from '../core/boards/board-store.ts';
import { createBoards } from '../core/boards/boards.ts';
import type { Answer } from '../core/intake/answer.ts';
import type { Background } from '../core/intake/feature.ts';
import { createRequestJob, REQUEST_JOB } from '../core/intake/request-job.ts';
import type { RouteTable } from '../core/intake/routes.ts';
import { type Job, jobOf } from '../core/records/job.ts';
import type { AttemptLimit } from '../core/operations/attempt-limit.ts';
import { operationKeys } from '../core/operations/keys.ts';
import { createMarkUsedButton } from '../core/operations/mark-used-button.ts';
import { OPERATION_JOB, POLL_ID, POLL_JOB } from '../core/operations/operations.ts';
import { createPoller } from '../core/operations/poller.ts';
import { createPostMessages } from '../core/operations/post-messages.ts';
import { createRunOperation } from '../core/operations/run.ts';
import { createAskerNotice } from '../core/operations/send-asker-notice.ts';
import { createSend, type SendDeps } from '../core/operations/send.ts';
import { POSTS } from '../core/outbox/outbox.ts';
import { createSendPosts } from '../core/outbox/send-posts.ts';
import { createRecords } from '../core/records/records.ts';
import { createScheduleJob } from '../core/schedules/schedule-job.ts';
import { SCHEDULES } from '../core/schedules/schedule-store.ts';
import { stepsBackground, type StepJobDeps } from '../core/workflow-steps/step-job.ts';
import { STEPS } from '../core/workflow-steps/step.ts';
import { doctorBackground } from '../features/doctor/index.ts';
import { RESTART_ROUTE } from '../features/instances/index.ts';
import { BOARD_ROUTE } from '../features/lamplighter/board.ts';
import { CANCEL_ROUTE } from '../features/lamplighter/cancel.ts';
import type { WayOut } from '../platform/http/way-out.ts';
import { calendarOf } from '../platform/redis/clock.ts';
import type { ResponseUrls } from '../platform/slack/response-url.ts';
import type { Traces } from '../platform/traces/traces.ts';
import { createCouriers } from './couriers.ts';
import type { FeaturesDeps } from './features-deps.ts';
import { createBackground, wordsOfSeveral } from './features.ts';
import type { Stores } from './stores.ts';

export type KindsDeps = FeaturesDeps &
  Stores &
  Omit<SendDeps, 'wakePoller'> &
  Omit<StepJobDeps, 'steps' | 'restartRoute'> & {
    readonly attempts: AttemptLimit;
    readonly traces: Traces;
    readonly routes: RouteTable;
    readonly answer: Answer;
    readonly responseUrls: ResponseUrls;
    readonly wayOut: WayOut;
  };

/**
 * Every kind of record of an account that has a next step, with what takes it: what each is, where it stands and when it is due is
 * declared with its record. Those of features are in what each does of its own accord.
 */
export function createJobs(given: KindsDeps): readonly Job[] {
  const { runner, clock, timings, changes, store } = given;
  const deps = { ...given, wakePoller: () => runner.wake(POLL_JOB, POLL_ID) };
  const ofBatches = { ...deps, batches: createBatches(deps), wordsOf: wordsOfSeveral(changes) };
  const poll = createPoller(deps);
  const background = createAllBackground(given);
  const guards = Object.fromEntries(background.flatMap((one) => Object.entries(one.guards ?? {})));
  const deadLetters = Object.fromEntries(background.flatMap((one) => Object.entries(one.deadLetters ?? {})));
  return [
    {
      job: REQUEST_JOB,
      isLocal: true,
      index: requestKeys.open,
      listDue: given.requests.listDue,
      // Longer than a person's wait: what could not be written down for certain is revoked before this.
      overdueMs: 2 * timings.writeDownWithinMs,
      // A person waits for the answer: it says what went wrong, and what it says is written down first.
      run: createRequestJob({ ...deps, routes: deps.routes.byId }),
    },
    jobOf({ job: OPERATION_JOB, isLocal: true, index: operationKeys.open }, store, createOperationJob(deps)),
    jobOf(
      { job: POLL_JOB, isLocal: true, index: operationKeys.polled },
      { listDue: async (before) => (((await store.nextPollAt()) ?? before) < before ? [POLL_ID] : []) },
      (_id, signal) => poll(signal),
    ),
    jobOf(
      POSTS,
      given.posts,
      createSendPosts({ ...deps, couriers: createCouriers(given.config, given), guards, deadLetters }),
    ),
    jobOf(
      BOARDS,
      given.boardStore,
      createBoardJob({ ...deps, headers: createBatchHeaders(ofBatches), showBoardRoute: BOARD_ROUTE }),
    ),
    jobOf(BATCHES, given.batchStore, createBatchJob(ofBatches)),
    jobOf(
      SCHEDULES,
      given.scheduleStore,
      createScheduleJob({
        ...ofBatches,
        clock: calendarOf(clock),
        changeOf: (verb) => changes.instances.find(({ several }) => several?.verb === verb),
      }),
    ),
    {
      ...jobOf(
        APPROVALS,
        given.approvalStore,
        createApprovalJob({ ...deps, approvals: given.approvalStore }),
      ),
      // All that are open: an asker may lose a right at any time, so the job of each checks it again and again.
      listDue: () => given.approvalStore.listDue(Number.MAX_SAFE_INTEGER),
    },
    ...background.flatMap(({ jobs = [] }) => jobs),
  ];
}

/** What is done without being asked. */
function createAllBackground(given: KindsDeps): readonly Background[] {
  return [
    ...createBackground(given),
    doctorBackground,
    stepsBackground({ ...given, steps: createRecords(given.redis, STEPS), restartRoute: RESTART_ROUTE }),
  ];
}

function createOperationJob(deps: KindsDeps & Pick<SendDeps, 'wakePoller'>) {
  return createRunOperation({
    ...deps,
    parts: [
      createSend(deps),
      createPostMessages({ ...deps, boards: createBoards({ ...deps, cancelRoute: CANCEL_ROUTE }) }),
      createAskerNotice(deps),
      createMarkUsedButton(deps),
    ],
  });
}
