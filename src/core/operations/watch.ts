import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Log } from '../../platform/log/log.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { Timings } from '../timings.ts';
import { polled, pollFailed } from './polled.ts';
import type { Operation, Seen } from './operation.ts';
import type { Observer } from './observer.ts';
import type { OperationStore } from './operation-store.ts';
import { OPERATION_JOB, type Operations } from './operations.ts';
import type { AttemptLimit } from './attempt-limit.ts';

export interface WatchDeps {
  readonly operations: Operations;
  readonly store: OperationStore;
  readonly attempts: AttemptLimit;
  readonly queue: WorkQueue;
  readonly clock: RedisClock;
  readonly timings: Timings;
  readonly log: Log;
}

/** What is due this soon is looked at together. */
const TOGETHER_MS = 250;
const SHORTEST_WAIT_MS = 20;
/** An operation that can't be looked at rests this long for each time before, so that the others don't wait for it. */
const REST_MS = 250;

/**
 * The one watching job of the hosting account: looks once for everybody who is due, so that calls don't grow
 * with the number of operations, and hands each that moved to its own job.
 */
export function createWatch(deps: WatchDeps): JobHandler {
  const { operations, store, attempts, queue, clock, timings, log } = deps;

  /** One look for each observer, shared by all who are due. */
  const look = (due: readonly Operation[]): ((operation: Operation) => Promise<Seen>) => {
    const observerOf = (operation: Operation): Observer => operations.kindOf(operation).observer;
    const polls = new Map(
      [...new Set(due.map(observerOf))].map((observer) => [
        observer,
        observer.look(due.filter((operation) => observerOf(operation) === observer)),
      ]),
    );
    // Whoever waits for it hears of a fault; nobody else has to.
    for (const one of polls.values()) one.catch(() => undefined);
    return async (operation) => {
      const seeIn = await polls.get(observerOf(operation));
      if (!seeIn) throw new Error(`operation ${operation.id}: nobody looked`);
      return seeIn(operation);
    };
  };

  const settle = async (operation: Operation, see: () => Promise<Seen>): Promise<void> => {
    let step: (operation: Operation) => Operation | undefined;
    try {
      const seen = await see();
      step = (now) => polled(now, operations.kindOf(now), seen, clock.now(), timings);
    } catch (error) {
      if (!(error instanceof HostingError)) throw error;
      log.warn({ operation: operation.id, error }, 'looking at an instance');
      step = (now) => pollFailed(now, clock.now(), timings);
    }
    const after = await operations.change(operation.id, step);
    if (after && operations.dueAt(after) <= clock.now()) await queue.wake(OPERATION_JOB, after.id);
  };

  /** Ids that can't be looked at, until when. */
  const resting = new Map<string, number>();
  const settleAlone = async (operation: Operation, see: () => Promise<Seen>): Promise<void> => {
    try {
      await settle(operation, see);
      if (resting.delete(operation.id)) await attempts.forget(operation.id);
    } catch (error) {
      log.error({ operation: operation.id, error }, 'looking after an operation');
      resting.set(operation.id, clock.now() + REST_MS);
      const tries = await attempts.count(operation);
      resting.set(operation.id, clock.now() + Math.min(REST_MS * tries, timings.longestBackOffMs));
    }
  };
  const isUp = (operation: Operation): boolean =>
    operations.knows(operation) && (resting.get(operation.id) ?? 0) <= clock.now();

  return async (_id, signal) => {
    for (;;) {
      if (signal.aborted) return undefined;
      const all = await store.listToLookAt(clock.now() + TOGETHER_MS);
      const due = all.filter(isUp);
      if (due.length > 0) {
        const see = look(due);
        await Promise.all(due.map((operation) => settleAlone(operation, () => see(operation))));
      }
      const nextAt = await store.nextLookAt();
      if (nextAt === undefined) return undefined;
      // A look that moved nothing must not be taken at once again.
      const shortest = due.length > 0 ? 0 : all.length > 0 ? REST_MS : SHORTEST_WAIT_MS;
      const waitMs = Math.max(nextAt - clock.now(), shortest);
      if (waitMs > 0) return waitMs;
    }
  };
}
