import { atOneRedis } from '../../platform/redis/survive.ts';
import type { JobHandler } from '../../platform/queue/run-job.ts';
import type { Operation } from './operation.ts';
import type { Operations, Operating } from './operations.ts';
import type { Log } from '../../platform/log/log.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { closed } from './message-order.ts';
import { deadLettered } from './execution.ts';
import type { OperationStore } from './operation-store.ts';

/** What goes wrong with one operation again and again must end, and hold up nobody else. */
export interface AttemptLimit {
  /**
   * Counts one try that failed, or whose process is gone. After the most tries the operation is dead-lettered with one
   * message; if even that fails, closed.
   */
  count(operation: Pick<Operation, 'id'>): Promise<number>;
  /** A try came to its end. Costs nothing where this process has counted none. */
  forget(operationId: string): Promise<void>;
}

const MAX_TRIES = 20;

export function createAttemptLimit(deps: {
  operations: Operations;
  store: OperationStore;
  clock: RedisClock;
  log: Log;
}): AttemptLimit {
  const { operations, store, clock, log } = deps;
  const counted = new Set<string>();
  return {
    count: async ({ id }) => {
      counted.add(id);
      const tries = await store.countTry(id);
      if (tries === MAX_TRIES + 1) {
        log.error({ operation: id, tries }, 'parking an operation');
        await operations.change(id, (now) => deadLettered(now, clock.now()));
      } else if (tries > 2 * MAX_TRIES) {
        log.error({ operation: id, tries }, "closing an operation that can't even be dead-lettered");
        // With an end all the same, or it would hold its instance for as long as its record is kept.
        const at = clock.now();
        await operations.change(id, (now) => closed(deadLettered(now, at) ?? now, at));
      }
      return tries;
    },
    forget: async (operationId) => {
      if (counted.delete(operationId)) await store.forgetTries(operationId);
    },
  };
}

/** One part of an operation's job: does its next step if one is due, and tells whether it did. */
export type JobPart = (operation: Operation) => Promise<boolean>;

/** A kind that this version does not know is left to a process that does, as during a deployment. */
const UNKNOWN_KIND_REST_MS = 60_000;

/**
 * The operation's own job: asks the service and speaks to Slack side by side until nothing is due. It is short;
 * waiting is done by running again later.
 */
export function createRunOperation({
  operations,
  attempts,
  clock,
  parts,
}: Pick<Operating, 'clock' | 'operations'> & {
  readonly attempts: AttemptLimit;
  readonly parts: readonly JobPart[];
}): JobHandler {
  const findOpen = async (operationId: string, find: Operations['find']): Promise<Operation | undefined> => {
    const operation = await find(operationId);
    return operation?.closedAt === undefined ? operation : undefined;
  };
  return async (operationId, signal, isTakenOver = false) => {
    const run = async (part: JobPart): Promise<void> => {
      for (;;) {
        const operation = signal.aborted ? undefined : await findOpen(operationId, operations.findLatest);
        if (!operation || !(await part(operation))) return;
      }
    };
    // Another process may have moved it.
    const first = await findOpen(operationId, operations.find);
    if (!first) return undefined;
    if (!operations.knows(first)) return UNKNOWN_KIND_REST_MS;
    // Counted before it is tried, so that what ends the process counts as well.
    if (isTakenOver) await attempts.count(first);
    try {
      for (;;) {
        // Each by itself: the answer to a call builds on nothing that another part wrote meanwhile.
        await Promise.all(parts.map((part) => atOneRedis(() => run(part))));
        const operation = signal.aborted ? undefined : await findOpen(operationId, operations.findLatest);
        const waitMs = operation ? operations.dueAt(operation) - clock.now() : Number.POSITIVE_INFINITY;
        if (waitMs > 0) {
          await attempts.forget(operationId);
          return Number.isFinite(waitMs) ? Math.ceil(waitMs) : undefined;
        }
      }
    } catch (error) {
      if (!isTakenOver) await attempts.count(first);
      throw error;
    }
  };
}
