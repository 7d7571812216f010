import type { History } from './past.ts';
import type { Operation } from './operation.ts';
import type { Beside, OperationStore } from './operation-store.ts';

/** Moves an operation; undefined where it does not apply. Pure. */
export type Step = (operation: Operation) => Operation | undefined;

/**
 * Moves an operation by a pure step; wakes nothing. Gives it as it is then; undefined where the step did not apply. Throws
 * NotReplicated where it is to survive and that is not certain.
 */
export type Change = (operationId: string, step: Step, beside?: Beside) => Promise<Operation | undefined>;

/** `ended`: called once for an operation that a change has ended; `closed`: once for one of which nothing is left to do. */
export function createChange({
  store,
  dueAt,
  historyOf,
  ended,
  closed,
}: {
  readonly store: Pick<OperationStore, 'change'>;
  readonly dueAt: (operation: Operation) => number;
  readonly historyOf: (operation: Operation) => History;
  readonly ended: (operation: Operation, outcome: NonNullable<Operation['outcome']>) => Promise<void>;
  readonly closed: (operation: Operation) => void;
}): Change {
  return async (operationId, step, beside) => {
    let before: Operation | undefined;
    const move = (operation: Operation): Operation | undefined => {
      before = operation;
      return step(operation);
    };
    const after = await store.change(operationId, move, { dueAt, historyOf, ...beside });
    if (after?.outcome && !before?.outcome) await ended(after, after.outcome);
    const isClosed = after?.closedAt !== undefined && before?.closedAt === undefined;
    if (isClosed && !after.isReopened) closed(after);
    return after;
  };
}
