import type { Log } from '../../platform/log/log.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { closed } from './message-order.ts';
import { deadLettered } from './execution.ts';
import type { Operation } from './operation.ts';
import type { OperationStore } from './operation-store.ts';
import type { Operations } from './operations.ts';

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
