import type { AlertsDeps } from './billing/alerts/alerts.ts';
import { CHECK_JOB, createCheck } from './billing/alerts/check.ts';
import { noticeMessage } from './billing/alerts/messages.ts';
import { createAlarmSweep } from './billing/alerts/sweep.ts';
import { createTell, TELL_JOB } from './billing/alerts/tell.ts';
import type { Words } from './billing/alerts/telling.ts';
import type { HostingService } from './hosting/service.ts';
import { createCountDown } from './operations/count-down.ts';
import { createDrive } from './operations/drive.ts';
import type { OperationStore } from './operations/operation-store.ts';
import { OPERATION_JOB, type Operations, WATCH_JOB } from './operations/operations.ts';
import { createSend, type SendDeps } from './operations/send.ts';
import { createSpeak } from './operations/speak.ts';
import type { Stumbles } from './operations/stumbles.ts';
import { createOperationSweep } from './operations/sweep.ts';
import { createWatch } from './operations/watch.ts';
import { repeat } from './queue/repeat.ts';
import type { WorkQueue } from './queue/queue.ts';
import { createWorker, type JobWorker } from './queue/worker.ts';
import type { RedisConnection } from './redis/connection.ts';
import type { Answer } from './requests/answer.ts';
import { createRequestJob, createRequestSweep, REQUEST_JOB } from './requests/request-job.ts';
import type { RequestStore } from './requests/request-store.ts';
import type { Messenger } from './slack/messenger.ts';
import type { RouteTable } from './slack/routes.ts';

export interface JobsDeps extends SendDeps {
  readonly stumbles: Stumbles;
  readonly operations: Operations;
  readonly store: OperationStore;
  readonly requests: RequestStore;
  readonly requestQueue: WorkQueue;
  readonly routes: RouteTable;
  readonly answer: Answer;
  readonly messenger: Messenger;
  readonly alerts: AlertsDeps & { readonly hosting: HostingService };
  /** A connection that waits for Redis. */
  readonly redis: RedisConnection;
}

/** What runs behind the queues of this process. */
export interface Jobs {
  isRunning(): boolean;
  /** Takes no new job and waits for the running ones, at most `limitMs`. */
  drain(limitMs: number): Promise<void>;
}

/** Starts the workers and the sweeps that bring back what was lost to them. */
export function startJobs(deps: JobsDeps): Jobs {
  const { store, queue, requests, requestQueue, clock, timings, redis, log } = deps;
  const requestJobs = {
    [REQUEST_JOB]: createRequestJob({ ...deps, routes: deps.routes.byId }),
  };
  const operationJobs = {
    [OPERATION_JOB]: createDrive({
      ...deps,
      lanes: [createSend(deps), createSpeak(deps), createCountDown(deps)],
    }),
    [WATCH_JOB]: createWatch(deps),
  };
  const { alerts } = deps;
  const words: Words = (episode, notice) => noticeMessage(episode, notice, alerts.unit);
  const billingJobs = {
    [CHECK_JOB]: createCheck({ ...alerts, log }),
    [TELL_JOB]: createTell({ ...deps, store: alerts.store, admins: alerts.admins, words }),
  };
  const workers: readonly JobWorker[] = [
    createWorker(redis, 'requests', requestJobs, timings, log),
    createWorker(redis, 'operations', operationJobs, timings, log),
    createWorker(redis, 'billing', billingJobs, timings, log),
  ];
  const sweeps = [
    createOperationSweep({ store, queue, clock, timings, log }),
    createRequestSweep({ requests, queue: requestQueue, clock, timings }),
    createAlarmSweep({ ...alerts, words }),
  ];
  const stopSweeps = repeat(timings.sweepEveryMs, sweeps, (error) => log.limited('sweep', error));
  return {
    isRunning: () => workers.every((worker) => worker.isRunning()),
    drain: async (limitMs) => {
      stopSweeps();
      await Promise.all(workers.map((worker) => worker.drain(limitMs)));
    },
  };
}
