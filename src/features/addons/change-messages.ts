import { isInGrace } from '../../core/operations/grace.ts';
import {
  cancelButton,
  commonEnding,
  duration,
  inGrace,
  progress,
  reason,
  reference,
  subject,
  timesAsked,
} from '../../core/operations/messages.ts';
import type { Operation, Outcome } from '../../core/operations/operation.ts';
import { tookOf } from '../../core/operations/operations.ts';
import type { Message } from '../../platform/slack/message.ts';
import { ago, person, type Phrase, say, strong } from '../../platform/slack/phrase.ts';
import { addonName } from '../../core/lookup/addon.ts';
import type { AddonChange } from './change-rules.ts';

const WORDS: Readonly<Record<AddonChange, { doing: string; done: string; to: string }>> = {
  add: { doing: 'Adding', done: 'Added', to: 'to' },
  remove: { doing: 'Removing', done: 'Removed', to: 'from' },
};

/** The card of a change while it has no outcome. */
export function changeCard(change: AddonChange, operation: Operation, cancelRoute: string): Message {
  const asked = say`asked by ${person(operation.actor.userId)} ${ago(operation.requestedAt)}`;
  const note = reference(operation);
  const doing = say`${WORDS[change].doing} ${what(change, operation)}`;
  if (isInGrace(operation)) {
    return {
      lines: [
        say`🗑️ ${doing} ${inGrace(operation)}, ${asked}`,
        say`What it holds goes with it. Until then it can be cancelled.`,
        ...reason(operation),
      ],
      note,
      buttons: [cancelButton(operation, cancelRoute)],
    };
  }
  return { lines: [say`⏳ ${doing}, ${asked}`, ...progress(operation), ...reason(operation)], note };
}

/** How a change ended, as one sentence that stands by itself. */
export function changeEnding(change: AddonChange, operation: Operation, outcome: Outcome): Phrase {
  const it = what(change, operation);
  const { done } = WORDS[change];
  const isAdd = change === 'add';
  const changed = isAdd
    ? 'it was not in the list before my call and is now'
    : 'it was in the list before my call and is not any more';
  switch (outcome.code) {
    case 'done':
      return say`${done} ${it} in ${duration(tookOf(operation, outcome.at))}.`;
    case 'seen':
      return say`${done} ${it}: ${changed}, though the service's answer was lost.`;
    case 'already':
      return isAdd
        ? say`${subject(operation)} has ${named(operation)} already. Nothing was changed.`
        : say`${subject(operation)} has no ${named(operation)} any more. Nothing was changed.`;
    case 'gone':
      return say`Could not ${change} ${it}: there is no such instance any more.`;
    case 'incomplete':
      return say`Did not add ${it}: the list of add-ons is incomplete, so it may be there already, and a second one would cost twice. Nothing was done; look at the hosting service's own dashboard, and add it there.`;
    case 'lost':
      return isAdd
        ? say`${changeTopic(operation)}: unknown whether it will be added, because the answer was lost. Not in the list now. Not retried, because twice would cost twice.`
        : say`${changeTopic(operation)}: unknown whether it will be removed, because the answer was lost. ${timesAsked(operation)}.`;
    case 'blind':
      return say`${changeTopic(operation)}: unknown whether it was ${done.toLowerCase()}, because the hosting service has given no usable answer since.`;
    case 'still':
      return isAdd
        ? say`${changeTopic(operation)}: the service took the request, but it is not in the list after ${duration(tookOf(operation, outcome.at))}. I stopped watching.`
        : say`${changeTopic(operation)}: the service took the removal, but it is still in the list after ${duration(tookOf(operation, outcome.at))}. I stopped watching.`;
    default:
      return commonEnding(operation, outcome, {
        could: say`Could not ${change} ${it}`,
        didNot: say`Did not ${change} ${it}`,
        state: say``,
      });
  }
}

/** What a change is about: "backup on web-1 (101)". */
export function changeTopic(operation: Operation): Phrase {
  return say`${named(operation)} on ${subject(operation)}`;
}

function named(operation: Operation): Phrase {
  return operation.addon ? say`${strong(addonName(operation.addon))}` : say`an add-on`;
}

/** "backup to web-1 (101)". */
function what(change: AddonChange, operation: Operation): Phrase {
  return say`${named(operation)} ${WORDS[change].to} ${subject(operation)}`;
}
