import { answerTold, nothingAsked, endingOfAnyKind } from '../../core/operations/kind.ts';
import { duration } from '../../platform/time/duration.ts';
import { parseAmount, counted } from '../../core/money/amount.ts';
import type { Addon, Deletion, Instance } from '../../platform/hosting/service.ts';
import { subject, timesAsked } from '../../core/operations/messages.ts';
import { tookOf } from '../../core/operations/cancel-window.ts';
import type { Operation, Outcome } from '../../core/operations/operation.ts';
import type { Message } from '../../platform/slack/message.ts';
import { join, type Phrase, say } from '../../platform/slack/phrase.ts';
import { addonName } from '../../core/lookup/addon.ts';
import { nameOf, statusOf, statusWords } from '../../core/instances/messages.ts';
import { priceWords } from './price.ts';

/**
 * What will be lost, before it is confirmed. `addons`: undefined where they could not be read, none where the service has
 * none; `unit`: how credits are called.
 */
export function deletePreview(
  instance: Instance,
  addons: readonly Pick<Addon, 'type' | 'tier'>[] | undefined,
  unit: string,
  { takes, leaves }: Deletion,
): { lines: Phrase[]; bullets: Phrase[] } {
  return {
    lines: [
      say`Delete ${nameOf(instance)} permanently?`,
      factsLine(instance, unit),
      say`This is permanent. ${leaves}. You lose:`,
    ],
    bullets: lostWith(takes, addons),
  };
}

/** What it is, and what it costs. `unit`: how credits are called. */
export function factsLine(instance: Instance, unit: string): Phrase {
  const { tier } = instance;
  const price = priceWords(instance);
  const cost = parseAmount(instance.dailyCostCredits);
  const facts = [
    say`It is ${statusOf(instance)}`,
    ...(tier === undefined ? [] : [say`${tier}`]),
    ...(price === undefined ? [] : [say`${price}`]),
    ...(cost === undefined
      ? []
      : [say`${instance.status === 'running' ? say`` : say`listed at `}${counted(cost, unit)} a day`]),
  ];
  return say`${join(facts, ' · ')}.`;
}

/** What goes with it, each an item of a list. `addons`: undefined where they could not be read. */
export function lostWith(
  takes: Deletion['takes'],
  addons: readonly Pick<Addon, 'type' | 'tier'>[] | undefined,
): Phrase[] {
  const lost: Phrase[] = takes.map((part) => say`${part}`);
  if (!addons) lost.push(say`its add-ons, which I could not read right now`);
  else if (addons.length > 0) lost.push(say`its add-ons: ${addons.map(addonName).join(', ')}`);
  return lost;
}

/** What was typed is not the name. */
export function wrongName(name: string): Phrase {
  return say`That is not its name. Type ${name} exactly, capitals too, or cancel.`;
}

/** How a deletion ended, as one sentence that stands by itself. */
export function deleteEnding(operation: Operation, outcome: Outcome): Phrase {
  const it = subject(operation);
  const { lastState } = operation.execution;
  const now = lastState && statusWords(lastState);
  const state = now === undefined ? say`` : say` It reports ${now}.`;
  const took = duration(tookOf(operation, outcome.at));
  const ofAnyKind = (): Phrase =>
    endingOfAnyKind(operation, outcome, {
      could: say`Could not delete ${it}`,
      didNot: say`Did not delete ${it}`,
      state,
    });
  switch (outcome.code) {
    case 'done':
      return say`Deleted ${it}: it is gone, after ${took}.`;
    case 'found-done':
      return say`Deleted ${it}: it was there before my call and is gone now, though ${answerTold(operation)}.`;
    case 'already':
      return say`${it} was gone already when its time came. ${nothingAsked(operation)}`;
    case 'protected':
      return outcome.result === 'canceled'
        ? say`Did not delete ${it}: it is protected. Nothing was done.`
        : ofAnyKind();
    case 'no-answer':
      return say`${it}: unknown whether it will be deleted, because ${answerTold(operation)}.${state} ${timesAsked(operation)}.`;
    case 'no-reading':
      return say`${it}: unknown how its deletion ended, because the hosting service has given no usable answer since.`;
    case 'no-end':
      return outcome.result === 'failed'
        ? say`The service took the deletion of ${it}, but it is still ${now ?? 'there'} after ${took}. I stopped watching; ask your hosting service.`
        : say`${it} is still ${now ?? 'there'} after ${took}. I stopped watching.`;
    default:
      return ofAnyKind();
  }
}

/** That a service deletes only what is stopped, and this one runs. `service`: how people call it. */
export function deletedOnceStopped(instance: Instance, service: string): Phrase {
  return say`Could not delete ${nameOf(instance)}: ${service} deletes only what is stopped, and it is ${statusOf(instance)}. Stop it, then delete it. Nothing was done.`;
}

/** What --dry-run answers. */
export function wouldDelete(preview: Pick<Message, 'bullets'>, instance: Instance): Message {
  return {
    lines: [
      say`Would ask you to type its name and then delete ${nameOf(instance)}, which is ${statusOf(instance)}. This was a dry run: nothing was done. It would lose:`,
    ],
    bullets: preview.bullets ?? [],
  };
}
