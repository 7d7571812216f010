import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import { isSameButForPolls, isPolled, polled, pollFailed } from './polled.ts';
import type { Operation, ObservedState } from './operation.ts';
import type { Observer } from './kind.ts';
import type { OperationStore } from './operation-store.ts';
import { type Operations, wakeOperation } from './operations.ts';
import { FIRST_LONGER, longestPauseMs, type PollTimes } from './poll-times.ts';
import type { AttemptLimit } from './run.ts';
import type { Base } from '../base.ts';

export interface PollerDeps extends Pick<Base, 'clock' | 'timings' | 'log'> {
  readonly operations: Pick<Operations, 'kindOf' | 'knows' | 'change' | 'dueAt'>;
  readonly store: Pick<OperationStore, 'takeDuePolls' | 'postponePolls'>;
  readonly attempts: AttemptLimit;
  readonly queue: Pick<WorkQueue, 'wake'>;
  readonly pollTimes: PollTimes;
  readonly metrics: Pick<Metrics, 'operationsPolled'>;
}

/** Operations that are due this soon are polled together. */
const TOGETHER_MS = 250;
/**
 * Where a list is read for so many, all others that it shows are polled as well, and are due together from then on. Else a
 * long list would be read again and again, each time for a part of them.
 */
const MANY = 50;
const SHORTEST_WAIT_MS = 20;
/** An operation whose poll throws rests this long for each earlier try, so that the others don't wait for it. */
const REST_MS = 250;

/**
 * Polls the hosting account once for all operations that are due, so that calls don't grow with their number, and wakes the
 * job of each that moved. Gives after how many ms to poll again, or undefined where this process is not to.
 */
export function createPoller(deps: PollerDeps): (signal: AbortSignal) => Promise<number | undefined> {
  const { operations, store, clock, timings } = deps;
  const { settleAlone, canPoll } = createSettle(deps);

  /** Polls all of `due`, and those that come `along`; gives when the next of them is due. */
  const pollAll = async (due: readonly Operation[], along: readonly Operation[]): Promise<number> => {
    const putOff: [string, number][] = [];
    const all = [...due, ...along];
    await deps.pollTimes.learn(all.map(({ kind }) => kind));
    const stateOf = observeAll(operations, all);
    const settle = (operation: Operation, observe: () => Promise<ObservedState>): Promise<number> =>
      settleAlone(operation, observe, (nextAt) => putOff.push([operation.id, nextAt]));
    const next = await Promise.all([
      ...due.map((one) => settle(one, () => stateOf(one))),
      // A fault is ignored for those that are not due.
      ...along.map((one) =>
        stateOf(one).then(
          (observed) => settle(one, () => Promise.resolve(observed)),
          () => Number.POSITIVE_INFINITY,
        ),
      ),
    ]);
    deps.metrics.operationsPolled(all.length);
    if (putOff.length > 0) await store.postponePolls(putOff);
    return next.reduce((first, one) => Math.min(first, one), Number.POSITIVE_INFINITY);
  };

  /** Operations that are not due, but that the same list shows. */
  const findAlong = async (due: readonly Operation[]): Promise<readonly Operation[]> => {
    const isByList = (operation: Operation): boolean =>
      operations.kindOf(operation).observer.isByList === true;
    if (due.filter(isByList).length < MANY) return [];
    const taken = new Set(due.map(({ id }) => id));
    // What rests for longer is a record that this process can't read.
    const duePolls = await store.takeDuePolls(clock.now() + FIRST_LONGER * longestPauseMs(timings));
    const settledBy = clock.now() - timings.staleMs;
    return (duePolls?.due ?? []).filter(
      (one) => !taken.has(one.id) && canPoll(one) && isByList(one) && isReadFromList(one, settledBy),
    );
  };

  return async (signal) => {
    for (;;) {
      const duePolls = signal.aborted ? undefined : await store.takeDuePolls(clock.now() + TOGETHER_MS);
      if (!duePolls) return undefined;
      const due = duePolls.due.filter(canPoll);
      // Left to a process that knows their kinds, as during a deployment.
      if (due.length === 0 && !duePolls.due.every(operations.knows)) return undefined;
      const nextAt = Math.min(
        await pollAll(due, await findAlong(due)),
        duePolls.nextAt ?? Number.POSITIVE_INFINITY,
      );
      if (due.length > 0 && !(nextAt > clock.now() && Number.isFinite(nextAt))) continue;
      // A poll that moved nothing must not be repeated at once.
      const shortest = duePolls.due.length > 0 ? REST_MS : SHORTEST_WAIT_MS;
      const waitMs = Math.max(nextAt - clock.now(), due.length > 0 ? 0 : shortest);
      // Another process may send a call meanwhile, whose first poll is due no sooner.
      return Math.min(waitMs, Math.max(timings.pollEveryMs, shortest));
    }
  };
}

/**
 * Whether a list alone says how it stands: an action and a lost answer take calls of their own, and a list may lag behind a call
 * that was taken after `settledBy` (Unix ms). Pure.
 */
function isReadFromList({ execution }: Operation, settledBy: number): boolean {
  const { state, actionId, acceptedAt = Number.POSITIVE_INFINITY } = execution;
  return state === 'accepted' && actionId === undefined && acceptedAt <= settledBy;
}

/** What a poll makes of one operation, and which of them this process can poll. */
function createSettle({ operations, attempts, queue, pollTimes, clock, timings, log }: PollerDeps): {
  /** Gives when its next poll is due, in Redis' time; infinity for never. Throws nothing of the operation's own. */
  settleAlone(
    operation: Operation,
    observe: () => Promise<ObservedState>,
    putOff: (nextAt: number) => void,
  ): Promise<number>;
  canPoll(operation: Operation): boolean;
} {
  const settle = async (
    operation: Operation,
    observe: () => Promise<ObservedState>,
    putOff: (nextAt: number) => void,
  ): Promise<number> => {
    let step: (operation: Operation) => Operation | undefined;
    try {
      const observed = await observe();
      step = (now) => polled(now, operations.kindOf(now), observed, clock.now(), pollTimes.gapOf);
    } catch (error) {
      if (!(error instanceof HostingError)) throw error;
      log.warn({ operation: operation.id, error }, 'polling an operation');
      step = (now) => pollFailed(now, error, clock.now(), timings, pollTimes.gapOf);
    }
    const expected = step(operation);
    if (expected && isSameButForPolls(operation, expected)) {
      putOff(expected.execution.nextAt);
      return expected.execution.nextAt;
    }
    const after = await operations.change(operation.id, step);
    if (after && operations.dueAt(after) <= clock.now()) await wakeOperation(queue, after);
    return after && isPolled(after) ? after.execution.nextAt : Number.POSITIVE_INFINITY;
  };

  /** Ids whose poll threw, and until when they rest. */
  const resting = new Map<string, number>();
  const settleAlone = async (...[operation, ...given]: Parameters<typeof settle>): Promise<number> => {
    try {
      const nextAt = await settle(operation, ...given);
      if (resting.delete(operation.id)) await attempts.forget(operation.id);
      return nextAt;
    } catch (error) {
      log.error({ operation: operation.id, error }, 'moving a polled operation');
      resting.set(operation.id, clock.now() + REST_MS);
      const tries = await attempts.count(operation);
      const nextAt = clock.now() + Math.min(REST_MS * tries, timings.longestBackOffMs);
      resting.set(operation.id, nextAt);
      return nextAt;
    }
  };
  const canPoll = (operation: Operation): boolean =>
    operations.knows(operation) && (resting.get(operation.id) ?? 0) <= clock.now();

  return { settleAlone, canPoll };
}

/** Asks each observer once for all of its operations. */
function observeAll(
  operations: PollerDeps['operations'],
  due: readonly Operation[],
): (operation: Operation) => Promise<ObservedState> {
  const observerOf = (operation: Operation): Observer => operations.kindOf(operation).observer;
  const polls = new Map(
    [...new Set(due.map(observerOf))].map((observer) => [
      observer,
      observer.observe(due.filter((operation) => observerOf(operation) === observer)),
    ]),
  );
  // Each operation that awaits its observer hears of the fault.
  for (const one of polls.values()) one.catch(() => undefined);
  return async (operation) => {
    const stateOf = await polls.get(observerOf(operation));
    if (!stateOf) throw new Error(`operation ${operation.id}: nobody observed it`);
    return stateOf(operation);
  };
}
