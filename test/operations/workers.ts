import { noTraces } from '../../src/platform/traces/traces.ts';
import type { Scheduler } from 'fast-check';
import { allowing } from '../support/allowing.ts';
import { createInstanceObserver } from '../../src/features/instances/observer.ts';
import { POWERS } from '../../src/platform/hosting/service.ts';
import type { Log } from '../../src/platform/log/log.ts';
import { createRunOperation, createAttemptLimit } from '../../src/core/operations/run.ts';
import type { OperationKind } from '../../src/core/operations/kind.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import { createOperations, type Operations } from '../../src/core/operations/operations.ts';
import { createSend } from '../../src/core/operations/send.ts';
import { createPostMessages } from '../../src/core/operations/post-messages.ts';
import type { PollTimes } from '../../src/core/operations/poll-times.ts';
import { createPoller } from '../../src/core/operations/poller.ts';
import type { JobHandler } from '../../src/platform/queue/run-job.ts';
import type { Message } from '../../src/platform/slack/message.ts';
import { createMemoryStore, type Pause, type Shelf } from './in-memory.ts';
import { powerKind } from '../support/kinds.ts';
import { noBoards, noLanes } from '../support/no-lanes.ts';
import { gapOf, timings } from './operation.ts';
import { createSmallHosting, createSmallMessenger, type SmallWorld } from './small-world.ts';
import { fixedClock } from '../support/fixed-clock.ts';

/** One process: the real lanes over fakes whose every wait is a place where others may come first. */
export interface WorkerProcess {
  readonly drive: JobHandler;
  readonly poll: ReturnType<typeof createPoller>;
  readonly operations: Operations;
  readonly pause: Pause;
}

const nothing = (): void => undefined;
const pollTimes: PollTimes = {
  gapOf,
  learn: () => Promise.resolve(),
  endedAfter: (_, seenAfterMs) => seenAfterMs,
};
const log: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing, limited: nothing };

/** Its waits are ordered by `scheduler`; after so many of them it is dead and never goes on. */
export function mortal(scheduler: Scheduler, name: string, livesFor: number): Pause {
  let waits = 0;
  return async (what) => {
    waits += 1;
    if (waits > livesFor) await new Promise<never>(nothing);
    await scheduler.schedule(Promise.resolve(), `${name}: ${what}`);
  };
}

const cards = new WeakMap<Operation, Message>();

/** The same record has the same card, so it is made once. */
function rendersOnce(kind: OperationKind): OperationKind {
  return {
    ...kind,
    card: (operation) => {
      const card = cards.get(operation) ?? kind.card(operation);
      cards.set(operation, card);
      return card;
    },
  };
}

export function startWorker(shelf: Shelf, world: SmallWorld, pause: Pause): WorkerProcess {
  const clock = fixedClock(() => world.now);
  const store = createMemoryStore(shelf, pause);
  const hosting = createSmallHosting(world, pause);
  const queue = {
    wakeNew: () => pause('wake a job'),
    wake: () => pause('wake a job'),
    ensure: () => Promise.resolve(false),
    isThere: () => Promise.resolve(false),
    metrics: () => Promise.resolve(''),
    close: () => Promise.resolve(),
  };
  const metrics = {
    slackRequest: nothing,
    slackSocket: nothing,
    hostingCall: nothing,
    operationEnded: nothing,
    messageDeadLettered: () => undefined,
    redisShort: nothing,
    redisLost: nothing,
    messagePosted: nothing,
    slackCall: nothing,
    answered: nothing,
    stoodStill: nothing,
    operationsPolled: nothing,
    text: () => Promise.resolve(''),
  };
  const observer = createInstanceObserver(hosting, clock, { actionsSince: async () => undefined });
  const operations = createOperations({
    workspaceUrl: () => undefined,
    storyRoute: 'lamplighter.story',
    store,
    failFastStore: store,
    writeQueue: hosting.writeQueue,
    queue,
    clock,
    pollTimes,
    durations: { usual: () => Promise.resolve({}) },
    kinds: POWERS.map((power) => rendersOnce(powerKind(power, { hosting, observer, timings }))),
    timings,
    metrics,
    traces: noTraces,
    log,
  });
  const access = allowing(async () => {
    await pause('may they');
    return world.rights.shift() ?? { allowed: true, rule: { by: 'admins' } };
  });
  const messenger = createSmallMessenger(world, pause);
  const attempts = createAttemptLimit({ operations, store, clock, log });
  const send = createSend({
    operations,
    access,
    approvalRules: () => [],
    hosting,
    writeQueue: hosting.writeQueue,
    wakePoller: nothing,
    pollTimes,
    clock,
    timings,
    log,
  });
  const speak = createPostMessages({
    operations,
    boards: noBoards,
    metrics,
    messenger,
    lanes: noLanes,
    clock,
    // Everybody is mentioned at the end.
    timings: { ...timings, mentionAfterMs: 0 },
    log,
  });
  return {
    drive: createRunOperation({ operations, attempts, clock, parts: [send, speak] }),
    poll: createPoller({ operations, store, attempts, queue, pollTimes, clock, timings, metrics, log }),
    operations,
    pause,
  };
}
