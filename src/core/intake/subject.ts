import type { Batches } from '../batches/batches.ts';
import { names } from '../batches/names.ts';
import { PREVIEWS } from '../batches/preview.ts';
import { BUTTON_TOKENS } from '../offers/button-token.ts';
import { CONFIRMATIONS } from '../offers/confirmation.ts';
import type { Offers } from '../offers/offers.ts';
import type { Operations } from '../operations/operations.ts';
import { nameOf } from '../instances/messages.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';

/** What a button or a modal is about, in words: "web-1 (101)". `names`: what a text must hold to say so by itself. */
export interface Subject {
  readonly words: Phrase;
  readonly names: readonly string[];
}

/** The instances that the value of a button or a modal stands for, whatever record is behind it. */
export type FindSubject = (value: string) => Promise<Subject | undefined>;

/** So many of several are named. */
const MAX_NAMED = 3;

export function createFindSubject(deps: {
  offers: Pick<Offers, 'find'>;
  operations: Pick<Operations, 'find'>;
  batches: Pick<Batches, 'find'>;
}): FindSubject {
  return async (value) => {
    const [{ what: buttonToken }, { what: confirmation }, operation, { what: preview }, batch] =
      await Promise.all([
        deps.offers.find(BUTTON_TOKENS, value),
        deps.offers.find(CONFIRMATIONS, value),
        deps.operations.find(value),
        deps.offers.find(PREVIEWS, value),
        deps.batches.find(value),
      ]);
    if (buttonToken) return one({ id: buttonToken.instanceId, name: buttonToken.name });
    const instance = confirmation?.instance ?? operation?.subject;
    if (instance) return one(instance);
    const several = preview?.chosen ?? batch?.items.map(({ subject }) => subject);
    return several && { words: names(several, MAX_NAMED), names: [] };
  };
}

function one(instance: { readonly id: string; readonly name: string }): Subject {
  return { words: nameOf(instance), names: [instance.name] };
}
