import type { JobHandler } from '../queue/worker.ts';
import type { RedisClock } from '../redis/clock.ts';
import type { Operation } from './operation.ts';
import type { Operations } from './operations.ts';

/** One lane of an operation: does its next step if one is due, and tells whether it did. */
export type Lane = (operation: Operation) => Promise<boolean>;

/**
 * The operation's own job: asks the service and speaks to Slack side by side until nothing is due. It is short;
 * waiting is done by running again later.
 */
export function createDrive(operations: Operations, clock: RedisClock, lanes: readonly Lane[]): JobHandler {
  return async (operationId, signal) => {
    const run = async (lane: Lane): Promise<void> => {
      for (;;) {
        const operation = signal.aborted ? undefined : await operations.find(operationId);
        if (!operation || operation.closedAt !== undefined || !(await lane(operation))) return;
      }
    };
    for (;;) {
      await Promise.all(lanes.map(run));
      const operation = signal.aborted ? undefined : await operations.find(operationId);
      if (!operation || operation.closedAt !== undefined) return undefined;
      const waitMs = operations.dueAt(operation) - clock.now();
      if (waitMs > 0) return Number.isFinite(waitMs) ? Math.ceil(waitMs) : undefined;
    }
  };
}
