import type { Memory } from './memory.ts';
import type { Operation } from './operation.ts';
import type { OperationStore } from './operation-store.ts';

/** Moves an operation; undefined where it does not apply. Pure. */
export type Step = (operation: Operation) => Operation | undefined;

/** The ways to move an operation. */
export interface Moves extends Pick<OperationStore, 'isAsSeen'> {
  /** Moves an operation by a pure step; wakes nothing. */
  change(operationId: string, step: Step): Promise<Operation | undefined>;
  /**
   * Moves an operation by a pure step that is written down along with the next one. Its job calls `writeDeferred` before it
   * rests. Only for what is found out again where the process ends before that: a post that stands, an edit, a place in a
   * lane. What `findLatest` gives has it; what others read has not.
   */
  defer(operationId: string, step: Step): void;
  /** Writes down the deferred steps that still apply. */
  writeDeferred(operationId: string): Promise<void>;
  /** As this process last saw it: somebody else may have moved it since, which a change finds out. */
  findLatest(operationId: string): Promise<Operation | undefined>;
}

/** `ended`: called once for an operation that a change has ended. */
export function createMoves({
  store,
  dueAt,
  memoryOf,
  ended,
}: {
  readonly store: Pick<OperationStore, 'change' | 'findLatest' | 'isAsSeen'>;
  readonly dueAt: (operation: Operation) => number;
  readonly memoryOf: (operation: Operation) => Memory;
  readonly ended: (operation: Operation, outcome: NonNullable<Operation['outcome']>) => Promise<void>;
}): Moves {
  const deferred = new Map<string, readonly Step[]>();
  const deferredFor = (operationId: string): readonly Step[] => deferred.get(operationId) ?? [];
  const withDeferred = (operation: Operation): Operation =>
    deferredFor(operation.id).reduce((now, step) => step(now) ?? now, operation);
  const forget = (operationId: string, steps: readonly Step[]): void => {
    const left = deferredFor(operationId).filter((step) => !steps.includes(step));
    if (left.length > 0) deferred.set(operationId, left);
    else deferred.delete(operationId);
  };
  const change: Moves['change'] = async (operationId, step) => {
    let before: Operation | undefined;
    let steps: readonly Step[] = [];
    const move = (operation: Operation): Operation | undefined => {
      steps = deferredFor(operationId);
      before = withDeferred(operation);
      return step(before);
    };
    const after = await store.change(operationId, move, dueAt, memoryOf);
    if (after) forget(operationId, steps);
    if (after?.outcome && !before?.outcome) await ended(after, after.outcome);
    return after;
  };
  return {
    change,
    isAsSeen: store.isAsSeen,
    defer: (operationId, step) => {
      deferred.set(operationId, [...deferredFor(operationId), step]);
    },
    writeDeferred: async (operationId) => {
      const steps = deferredFor(operationId);
      if (steps.length === 0) return;
      const move: Step = (operation) => {
        const next = withDeferred(operation);
        return next === operation ? undefined : next;
      };
      await store.change(operationId, move, dueAt, memoryOf);
      // Also where they did not apply: somebody else has moved it on.
      forget(operationId, steps);
    },
    findLatest: async (operationId) => {
      const latest = await store.findLatest(operationId);
      return latest && withDeferred(latest);
    },
  };
}
