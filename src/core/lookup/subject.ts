import type { ConfirmationStore } from '../confirmations/confirmation-store.ts';
import type { OfferStore } from '../operations/offer-store.ts';
import type { Operations } from '../operations/operations.ts';

/** An instance by the two words that people know it by. */
export interface Subject {
  readonly id: string;
  readonly name: string;
}

/** The instance that the value of a button or a modal stands for, whatever record is behind it. */
export type FindSubject = (value: string) => Promise<Subject | undefined>;

export function createFindSubject(deps: {
  offers: Pick<OfferStore, 'find'>;
  confirmations: Pick<ConfirmationStore, 'find'>;
  operations: Pick<Operations, 'find'>;
}): FindSubject {
  return async (value) => {
    const [offer, confirmation, operation] = await Promise.all([
      deps.offers.find(value),
      deps.confirmations.find(value),
      deps.operations.find(value),
    ]);
    if (offer) return { id: offer.instanceId, name: offer.name };
    return confirmation?.instance ?? operation?.subject;
  };
}
