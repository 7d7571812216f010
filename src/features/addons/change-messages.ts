import { answerTold } from '../../core/operations/kind.ts';
import { duration } from '../../platform/time/duration.ts';
import { subject, timesAsked } from '../../core/operations/messages.ts';
import { tookOf } from '../../core/operations/cancel-window.ts';
import type { OperationWith } from '../../core/changes/declaration.ts';
import type { Outcome } from '../../core/operations/operation.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { type AddonRef, named } from './addon.ts';

type OfAddon = OperationWith<AddonRef>;

/** How adding ended, where the common sentence does not say enough: twice would cost twice. */
export function addEnding(operation: OfAddon, outcome: Outcome): Phrase | undefined {
  const addon = named(operation.args);
  const on = subject(operation);
  switch (outcome.code) {
    case 'found-done':
      return say`Added ${addon} to ${on}: it was not in the list before my call and is now, though ${answerTold(operation)}.`;
    case 'already':
      return say`${on} has ${addon} already. Nothing was changed.`;
    case 'incomplete':
      return say`Did not add ${addon} to ${on}: the list of add-ons is incomplete, so it may be there already, and a second one would cost twice. Nothing was done; look at the hosting service's own dashboard, and add it there.`;
    case 'no-answer':
      return say`${addon} on ${on}: unknown whether it will be added, because ${answerTold(operation)}. Not in the list now. Not retried, because twice would cost twice.`;
    case 'no-end':
      return say`${addon} on ${on}: the service took the request, but it is not in the list after ${tookIn(operation, outcome)}. I stopped watching.`;
    default:
      return undefined;
  }
}

/** How removing ended, where the common sentence does not say enough. */
export function removeEnding(operation: OfAddon, outcome: Outcome): Phrase | undefined {
  const addon = named(operation.args);
  const on = subject(operation);
  switch (outcome.code) {
    case 'found-done':
      return say`Removed ${addon} from ${on}: it was in the list before my call and is not any more, though ${answerTold(operation)}.`;
    case 'already':
      return say`${on} has no ${addon} any more. Nothing was changed.`;
    case 'no-answer':
      return say`${addon} on ${on}: unknown whether it will be removed, because ${answerTold(operation)}. ${timesAsked(operation)}.`;
    case 'no-end':
      return say`${addon} on ${on}: the service took the removal, but it is still in the list after ${tookIn(operation, outcome)}. I stopped watching.`;
    default:
      return undefined;
  }
}

function tookIn(operation: OfAddon, outcome: Outcome): string {
  return duration(tookOf(operation, outcome.at));
}
