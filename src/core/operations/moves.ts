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
   * Moves an operation by a pure step that is written down along with the next one. Its job calls `writeNoted` before it
   * rests. Only for what is found out again where the process ends before that: a post that stands, an edit, a place in a
   * lane. What `findLatest` gives has it; what others read has not.
   */
  note(operationId: string, step: Step): void;
  /** Writes down what is noted and still applies, if anything is. */
  writeNoted(operationId: string): Promise<void>;
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
  const noted = new Map<string, readonly Step[]>();
  const notedFor = (operationId: string): readonly Step[] => noted.get(operationId) ?? [];
  const withNoted = (operation: Operation): Operation =>
    notedFor(operation.id).reduce((now, step) => step(now) ?? now, operation);
  const forget = (operationId: string, steps: readonly Step[]): void => {
    const left = notedFor(operationId).filter((step) => !steps.includes(step));
    if (left.length > 0) noted.set(operationId, left);
    else noted.delete(operationId);
  };
  const change: Moves['change'] = async (operationId, step) => {
    let before: Operation | undefined;
    let steps: readonly Step[] = [];
    const move = (operation: Operation): Operation | undefined => {
      steps = notedFor(operationId);
      before = withNoted(operation);
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
    note: (operationId, step) => {
      noted.set(operationId, [...notedFor(operationId), step]);
    },
    writeNoted: async (operationId) => {
      const steps = notedFor(operationId);
      if (steps.length === 0) return;
      const move: Step = (operation) => {
        const next = withNoted(operation);
        return next === operation ? undefined : next;
      };
      await store.change(operationId, move, dueAt, memoryOf);
      // Also where they did not apply: somebody else has moved it on.
      forget(operationId, steps);
    },
    findLatest: async (operationId) => {
      const latest = await store.findLatest(operationId);
      return latest && withNoted(latest);
    },
  };
}
