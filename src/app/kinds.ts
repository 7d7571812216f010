import { createApprovalJob } from '../core/approvals/approval-job.ts';
import { APPROVALS } from '../core/approvals/approvals.ts';
import { requestKeys } from '../core/ask/ask.ts';
import { createBatchHeaders, createBatchJob } from '../core/batches/batch-job.ts';
import { BATCHES, createBatchStore } from '../core/batches/batch-store.ts';
import { createBatches } from '../core/batches/batches.ts';
import { createBoardJob } from '../core/boards/board-job.ts';
import { BOARDS } from '../core/boards/board-store.ts';
import { createBoards } from '../core/boards/boards.ts';
import type { Answer } from '../core/intake/answer.ts';
import type { Background } from '../core/intake/route.ts';
import { createRequestJob, REQUEST_JOB } from '../core/intake/request-job.ts';
import type { RouteTable } from '../core/intake/routes.ts';
import { type Job, jobOf } from '../core/records/job.ts';
import { type AttemptLimit, createRunOperation } from '../core/operations/run.ts';
import { operationKeys } from '../core/operations/keys.ts';
import {
  createMarkUsedButton,
  createPostMessages,
  createAskerNotice,
} from '../core/operations/post-messages.ts';
import { OPERATION_JOB, POLL_ID, POLL_JOB } from '../core/operations/operations.ts';
import { createPoller } from '../core/operations/poller.ts';
import { createSend } from '../core/operations/send.ts';
import { POSTS, postsBy } from '../core/outbox/outbox.ts';
import { createSendPosts } from '../core/outbox/send-posts.ts';
import { createRecords } from '../core/records/records.ts';
import { createScheduleJob } from '../core/schedules/schedule-job.ts';
import { createScheduleStore, SCHEDULES } from '../core/schedules/schedule-store.ts';
import { stepsBackground } from '../core/workflow-steps/step-job.ts';
import { doctorBackground } from '../features/doctor/index.ts';
import { RESTART_ROUTE } from '../features/instances/index.ts';
import { BOARD_ROUTE } from '../features/lamplighter/board.ts';
import { CANCEL_ROUTE } from '../features/lamplighter/cancel.ts';
import type { Sweeps } from '../core/sweep.ts';
import { createMail } from '../platform/mail/mail.ts';
import { createWebhook } from '../platform/webhook/webhook.ts';
import { createRunJob, type JobHandler } from '../platform/queue/run-job.ts';
import type { JobWorker } from '../platform/queue/worker.ts';
import type { Couriers } from '../core/outbox/outside.ts';
import { calendarOf } from '../platform/redis/clock.ts';
import type { FeaturesDeps } from './features-deps.ts';
import { createBackground, wordsOfSeveral } from './features.ts';
import type { Stores } from './stores.ts';

type KindsDeps = FeaturesDeps &
  Stores & {
    readonly attempts: AttemptLimit;
    readonly routes: RouteTable;
    readonly answer: Answer;
    readonly worker: JobWorker;
    readonly sweeps: Sweeps;
    /** Put before each key of the account. */
    readonly scope: string;
  };

/**
 * Every kind of record of an account that has a next step, with what takes it: what each is, where it stands and when it is due is
 * declared with its record. Those of features are in what each does of its own accord.
 */
function createJobs(given: KindsDeps): readonly Job[] {
  const { runner, clock, timings, changes, store, redis, faultPoints } = given;
  const posts = faultPoints('posts', createRecords(redis, postsBy(timings)));
  const batchStore = faultPoints('batches', createBatchStore(redis));
  const scheduleStore = faultPoints('schedule record', createScheduleStore(given));
  const approvals = faultPoints('approval record', createRecords(redis, APPROVALS));
  const deps = { ...given, posts, batchStore, wakePoller: () => runner.wake(POLL_JOB, POLL_ID) };
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
    jobOf(POSTS, posts, createSendPosts({ ...deps, couriers: createCouriers(given), guards, deadLetters })),
    jobOf(
      BOARDS,
      given.boardStore,
      createBoardJob({ ...deps, headers: createBatchHeaders(ofBatches), showBoardRoute: BOARD_ROUTE }),
    ),
    jobOf(BATCHES, batchStore, createBatchJob(ofBatches)),
    jobOf(
      SCHEDULES,
      scheduleStore,
      createScheduleJob({
        ...ofBatches,
        scheduleStore,
        clock: calendarOf(clock),
        changeOf: (verb) => changes.instances.find(({ several }) => several?.verb === verb),
      }),
    ),
    {
      ...jobOf(APPROVALS, approvals, createApprovalJob({ ...deps, approvals })),
      // All that are open: an asker may lose a right at any time, so the job of each checks it again and again.
      listDue: () => approvals.listDue(Number.MAX_SAFE_INTEGER),
    },
    ...background.flatMap(({ jobs = [] }) => jobs),
  ];
}

/** What is done without being asked. */
function createAllBackground(given: KindsDeps): readonly Background[] {
  return [
    ...createBackground(given),
    doctorBackground,
    stepsBackground({ ...given, restartRoute: RESTART_ROUTE }),
  ];
}

function createOperationJob(deps: KindsDeps & { readonly wakePoller: () => void }) {
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

/** What takes alerts and digests to each place outside of Slack that is configured. */
function createCouriers({ config: { outside }, wayOut, faultPoints, timings }: KindsDeps): Couriers {
  const { webhook, mail } = outside;
  const { slackTimeoutMs: timeoutMs } = timings;
  return {
    ...(webhook ? { webhook: faultPoints('webhook', createWebhook({ ...webhook, wayOut, timeoutMs })) } : {}),
    ...(mail ? { mail: faultPoints('mail', createMail({ ...mail, wayOut, stepWithinMs: timeoutMs })) } : {}),
  };
}

/** What runs behind the queue in this process. */
export interface Jobs {
  /** Takes no new job and waits for the running ones, at most `limitMs`. */
  drain(limitMs: number): Promise<void>;
}

/** Starts what the worker runs of an account, what runs here without it, and the sweeps that bring back what was lost to them. */
export function startJobs(deps: KindsDeps): Jobs {
  const { runner, timings, worker, sweeps, scope, queue, log } = deps;
  const jobs = createJobs(deps);
  const handlersOf = (
    run: (one: (typeof jobs)[number]) => JobHandler,
  ): Readonly<Record<string, JobHandler>> => Object.fromEntries(jobs.map((one) => [one.job, run(one)]));
  const locals = jobs.filter(({ isLocal }) => isLocal).map(({ job }) => job);
  runner.start(
    locals,
    createRunJob(
      handlersOf(({ run }) => run),
      timings,
      log,
    ),
  );
  // What a process without jobs has woken runs as if this one had.
  const runHere =
    (name: string): JobHandler =>
    async (id) => {
      runner.wake(name, id);
      return undefined;
    };
  const ofWorker = handlersOf(({ job, isLocal, run }) => (isLocal ? runHere(job) : run));
  const served = worker.serve(scope, createRunJob(ofWorker, timings, log));
  const stopSweeps = sweeps.add({ scope, queue, kinds: jobs, log });
  return {
    drain: async (limitMs) => {
      stopSweeps();
      await Promise.all([served, runner].map((one) => one.drain(limitMs)));
    },
  };
}
