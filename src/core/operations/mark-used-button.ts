import type { JobPart } from './run.ts';
import type { Operations } from './operations.ts';

/**
 * The lane of an operation that was asked for by a button on the card of an ended one: that card says so, without the
 * button. It belongs to the new operation's job, so that it is done even if the process that began it dies.
 */
export function createMarkUsedButton({ operations }: { operations: Operations }): JobPart {
  return async (operation) => {
    if (operation.usesButtonOf === undefined) return false;
    await operations.markUsedButton(operation);
    return true;
  };
}
