import { hasNoTurn, HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { Timings } from '../timings.ts';
import { isSameButForLooks, isWatched, polled, pollFailed } from './polled.ts';
import type { Operation, Seen } from './operation.ts';
import type { Observer } from './observer.ts';
import type { OperationStore } from './operation-store.ts';
import { type Operations, wakeOperation } from './operations.ts';
import { FIRST_LONGER } from './look-schedule.ts';
import type { LookTimes } from './look-times.ts';
import type { AttemptLimit } from './attempt-limit.ts';

export interface WatchDeps {
  readonly operations: Pick<Operations, 'kindOf' | 'knows' | 'change' | 'dueAt'>;
  readonly store: Pick<OperationStore, 'takeLooks' | 'nextLookAt' | 'putLooksOff'>;
  readonly attempts: AttemptLimit;
  readonly queue: Pick<WorkQueue, 'wake'>;
  readonly lookTimes: LookTimes;
  readonly clock: RedisClock;
  readonly timings: Timings;
  readonly metrics: Pick<Metrics, 'operationsLookedAt'>;
  readonly log: Log;
}

/** What is due this soon is looked at together. */
const TOGETHER_MS = 250;
/**
 * Where a list is read for so many, all others that it shows are looked at as well, and are due together from then on. Else a
 * long list would be read again and again, each time for a part of them.
 */
const MANY = 50;
const SHORTEST_WAIT_MS = 20;
/** An operation that can't be looked at rests this long for each time before, so that the others don't wait for it. */
const REST_MS = 250;

/**
 * Looks once for everybody in the hosting account who is due, so that calls don't grow with the number of operations, and
 * wakes the job of each that moved. Gives after how many ms to look again, or undefined where it isn't to.
 */
export function createWatch(deps: WatchDeps): (signal: AbortSignal) => Promise<number | undefined> {
  const { operations, store, clock, timings } = deps;
  const { settleAlone, isUp } = createSettle(deps);

  /** Looks for all of `due`, and for what comes `along`; gives when the next of them is to be looked at. */
  const lookAtAll = async (due: readonly Operation[], along: readonly Operation[]): Promise<number> => {
    const putOff: [string, number][] = [];
    const all = [...due, ...along];
    await deps.lookTimes.learn(all.map(({ kind }) => kind));
    const see = lookFor(operations, all);
    const settle = (operation: Operation, seeing: () => Promise<Seen>): Promise<number> =>
      settleAlone(operation, seeing, (nextAt) => putOff.push([operation.id, nextAt]));
    const next = await Promise.all([
      ...due.map((one) => settle(one, () => see(one))),
      // A fault is nothing to those whose look is not due.
      ...along.map((one) =>
        see(one).then(
          (seen) => settle(one, () => Promise.resolve(seen)),
          () => Number.POSITIVE_INFINITY,
        ),
      ),
    ]);
    deps.metrics.operationsLookedAt(all.length);
    if (putOff.length > 0) await store.putLooksOff(putOff);
    return next.reduce((first, one) => Math.min(first, one), Number.POSITIVE_INFINITY);
  };

  const takeLooks = createTakeLooks(deps);

  /** Those whose look is not due and costs nothing, beside what is due. */
  const findAlong = async (due: readonly Operation[]): Promise<readonly Operation[]> => {
    const isByList = (operation: Operation): boolean =>
      operations.kindOf(operation).observer.isByList === true;
    if (due.filter(isByList).length < MANY) return [];
    const taken = new Set(due.map(({ id }) => id));
    // What rests for longer is a record that this process can't read.
    const looks = await store.takeLooks(clock.now() + FIRST_LONGER * timings.slowLookEveryMs);
    const settledBy = clock.now() - timings.staleMs;
    return (looks?.due ?? []).filter(
      (one) => !taken.has(one.id) && isUp(one) && isByList(one) && isSeenInList(one, settledBy),
    );
  };

  return async (signal) => {
    for (;;) {
      const looks = signal.aborted ? undefined : await takeLooks();
      if (!looks) return undefined;
      const due = looks.due.filter(isUp);
      // Left to a process that knows their kinds, as during a deployment.
      if (due.length === 0 && !looks.due.every(operations.knows)) return undefined;
      const nextAt = Math.min(
        await lookAtAll(due, await findAlong(due)),
        looks.nextAt ?? Number.POSITIVE_INFINITY,
      );
      if (due.length > 0 && !(nextAt > clock.now() && Number.isFinite(nextAt))) continue;
      // A look that moved nothing must not be taken at once again.
      const shortest = looks.due.length > 0 ? REST_MS : SHORTEST_WAIT_MS;
      const waitMs = Math.max(nextAt - clock.now(), due.length > 0 ? 0 : shortest);
      // Another process may begin to watch something meanwhile, and its first look is due no sooner.
      return Math.min(waitMs, Math.max(timings.firstLookMs, shortest));
    }
  };
}

/** What is due for this process to look at; asks Redis for no more than it has to. */
function createTakeLooks({
  store,
  clock,
  timings,
}: WatchDeps): () => ReturnType<OperationStore['takeLooks']> {
  /** So long others who begin to be watched are waited for: mostly their first look is due later still. */
  const askEveryMs = Math.min(TOGETHER_MS, timings.firstLookMs / 4);
  /** Until then nobody else looks, so that asking whether one is due is enough; by this process' own clock, ms. */
  let isTakenUntil = Number.NEGATIVE_INFINITY;
  /** When this process last asked, by its own clock, ms. */
  let askedAt = Number.NEGATIVE_INFINITY;
  /** When the next look was due by then, Redis' clock, Unix ms. */
  let knownNextAt = Number.POSITIVE_INFINITY;
  return async () => {
    const [before, askingAt] = [clock.now() + TOGETHER_MS, performance.now()];
    const isNothingKnownDue = askingAt < isTakenUntil && knownNextAt > before;
    const restMs = askedAt + askEveryMs - askingAt;
    if (isNothingKnownDue && restMs > 0)
      return { due: [], nextAt: Math.min(knownNextAt, clock.now() + restMs) };
    askedAt = askingAt;
    if (isNothingKnownDue) {
      const nextAt = await store.nextLookAt();
      knownNextAt = nextAt ?? Number.POSITIVE_INFINITY;
      if (nextAt !== undefined && nextAt > before) return { due: [], nextAt };
    }
    const looks = await store.takeLooks(before);
    isTakenUntil = looks ? performance.now() + timings.sweepEveryMs : Number.NEGATIVE_INFINITY;
    knownNextAt = looks?.nextAt ?? Number.POSITIVE_INFINITY;
    return looks;
  };
}

/**
 * Whether a list alone says how it stands: an action and a lost answer take calls of their own, and a list may lag behind a call
 * that was taken after `settledBy` (Unix ms). Pure.
 */
function isSeenInList({ execution }: Operation, settledBy: number): boolean {
  const { state, actionId, acceptedAt = Number.POSITIVE_INFINITY } = execution;
  return state === 'watching' && actionId === undefined && acceptedAt <= settledBy;
}

/** What a look makes of one operation, and which of them can be looked at. */
function createSettle({ operations, attempts, queue, lookTimes, clock, timings, log }: WatchDeps): {
  /** Gives when it is to be looked at again, in Redis' time; infinity for never. Throws nothing of the operation's own. */
  settleAlone(
    operation: Operation,
    see: () => Promise<Seen>,
    putOff: (nextAt: number) => void,
  ): Promise<number>;
  isUp(operation: Operation): boolean;
} {
  const settle = async (
    operation: Operation,
    see: () => Promise<Seen>,
    putOff: (nextAt: number) => void,
  ): Promise<number> => {
    let step: (operation: Operation) => Operation | undefined;
    try {
      const seen = await see();
      step = (now) => polled(now, operations.kindOf(now), seen, clock.now(), lookTimes.gapOf);
    } catch (error) {
      if (!(error instanceof HostingError)) throw error;
      log.warn({ operation: operation.id, error }, 'looking at an instance');
      step = (now) => pollFailed(now, clock.now(), timings, lookTimes.gapOf, !hasNoTurn(error));
    }
    const expected = step(operation);
    if (expected && isSameButForLooks(operation, expected)) {
      putOff(expected.execution.nextAt);
      return expected.execution.nextAt;
    }
    const after = await operations.change(operation.id, step);
    if (after && operations.dueAt(after) <= clock.now()) await wakeOperation(queue, after);
    return after && isWatched(after) ? after.execution.nextAt : Number.POSITIVE_INFINITY;
  };

  /** Ids that can't be looked at, until when. */
  const resting = new Map<string, number>();
  const settleAlone = async (...[operation, ...given]: Parameters<typeof settle>): Promise<number> => {
    try {
      const nextAt = await settle(operation, ...given);
      if (resting.delete(operation.id)) await attempts.forget(operation.id);
      return nextAt;
    } catch (error) {
      log.error({ operation: operation.id, error }, 'looking after an operation');
      resting.set(operation.id, clock.now() + REST_MS);
      const tries = await attempts.count(operation);
      const nextAt = clock.now() + Math.min(REST_MS * tries, timings.longestBackOffMs);
      resting.set(operation.id, nextAt);
      return nextAt;
    }
  };
  const isUp = (operation: Operation): boolean =>
    operations.knows(operation) && (resting.get(operation.id) ?? 0) <= clock.now();

  return { settleAlone, isUp };
}

/** One look for each observer, shared by all who are due. */
function lookFor(
  operations: WatchDeps['operations'],
  due: readonly Operation[],
): (operation: Operation) => Promise<Seen> {
  const observerOf = (operation: Operation): Observer => operations.kindOf(operation).observer;
  const polls = new Map(
    [...new Set(due.map(observerOf))].map((observer) => [
      observer,
      observer.look(due.filter((operation) => observerOf(operation) === observer)),
    ]),
  );
  // The one that waits for it hears of a fault; nobody else has to.
  for (const one of polls.values()) one.catch(() => undefined);
  return async (operation) => {
    const seeIn = await polls.get(observerOf(operation));
    if (!seeIn) throw new Error(`operation ${operation.id}: nobody looked`);
    return seeIn(operation);
  };
}
