import type { ConfirmationStore } from '../confirmations/confirmation-store.ts';
import type { ButtonTokenStore } from '../operations/button-token-store.ts';
import type { Operations } from '../operations/operations.ts';

/** An instance by the two words that people know it by. */
export interface Subject {
  readonly id: string;
  readonly name: string;
}

/** The instance that the value of a button or a modal stands for, whatever record is behind it. */
export type FindSubject = (value: string) => Promise<Subject | undefined>;

export function createFindSubject(deps: {
  buttonTokens: Pick<ButtonTokenStore, 'find'>;
  confirmations: Pick<ConfirmationStore, 'find'>;
  operations: Pick<Operations, 'find'>;
}): FindSubject {
  return async (value) => {
    const [buttonToken, confirmation, operation] = await Promise.all([
      deps.buttonTokens.find(value),
      deps.confirmations.find(value),
      deps.operations.find(value),
    ]);
    if (buttonToken) return { id: buttonToken.instanceId, name: buttonToken.name };
    return confirmation?.instance ?? operation?.subject;
  };
}
