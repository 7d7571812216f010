import { endOf, paidUntilOf } from '../../core/instances/facts.ts';
import { nameOf, statusOf } from '../../core/instances/messages.ts';
import { answerTold, nothingAsked } from '../../core/operations/kind.ts';
import { tookOf } from '../../core/operations/cancel-window.ts';
import { duration } from '../../platform/time/duration.ts';
import { subject, timesAsked } from '../../core/operations/messages.ts';
import type { Operation, Outcome } from '../../core/operations/operation.ts';
import type { Addon, Instance } from '../../platform/hosting/service.ts';
import type { Message } from '../../platform/slack/message.ts';
import { person, type Phrase, say, time } from '../../platform/slack/phrase.ts';
import { factsLine, lostWith } from './delete-messages.ts';
import type { AtItsEnd } from './cancel-rules.ts';

/** What will be canceled, and until when it runs and costs, before it is confirmed. The rest as for a deletion. */
export function cancelPreview(
  instance: Instance,
  addons: readonly Pick<Addon, 'type' | 'tier'>[] | undefined,
  unit: string,
  { takes, leaves, atEndOf }: AtItsEnd,
): { lines: Phrase[]; bullets: Phrase[] } {
  const until = paidUntilOf(instance);
  const when =
    until === undefined ? say`. The hosting service doesn't say when that is` : say`: ${time(until)}`;
  return {
    lines: [
      say`Cancel ${nameOf(instance)} at the end of ${atEndOf}?`,
      factsLine(instance, unit),
      say`It ${stays(instance)}, and costs, until then${when}.`,
      say`I can't take that back. ${leaves}. Then you lose:`,
    ],
    bullets: lostWith(takes, addons),
  };
}

/** What --dry-run answers. */
export function wouldCancel(
  { bullets = [] }: Pick<Message, 'bullets'>,
  instance: Instance,
  { atEndOf }: AtItsEnd,
): Message {
  return {
    lines: [
      say`Would ask you to type its name and then cancel ${nameOf(instance)}, which is ${statusOf(instance)}, at the end of ${atEndOf}. This was a dry run: nothing was done. Then it would lose:`,
    ],
    bullets,
  };
}

/** What was typed is not the name. */
export function wrongNameToCancel(name: string): Phrase {
  return say`That is not its name. Type ${name} exactly, capitals too, or keep it.`;
}

/** That one is canceled, after its name: "is canceled, and runs until 31 Dec". Pure. */
export function canceledWords(instance: Pick<Instance, 'endsAt' | 'status'>): Phrase {
  const at = endOf(instance);
  return at === undefined ? say`is canceled` : say`is canceled, and ${stays(instance)} until ${time(at)}`;
}

/** How it ended, as one sentence that stands by itself; undefined for an end that any change may have. */
export function cancelEnding(operation: Operation, outcome: Outcome): Phrase | undefined {
  const it = subject(operation);
  switch (outcome.code) {
    case 'done':
      return say`Canceled ${it}${untilWords(operation)}.`;
    case 'found-done':
      return say`Canceled ${it}${untilWords(operation)}. It was not canceled before my call and is now, though ${answerTold(operation)}.`;
    case 'already':
      return say`${it} was canceled already when its time came. ${nothingAsked(operation)}`;
    case 'protected':
      return outcome.result === 'canceled'
        ? say`Did not cancel ${it}: it is protected. Nothing was done.`
        : undefined;
    case 'canceled':
      return operation.canceledBy === undefined
        ? undefined
        : say`Did not cancel ${it}: ${person(operation.canceledBy)} called that off. Nothing was done.`;
    case 'no-answer':
      return say`${it}: unknown whether it is canceled, because ${answerTold(operation)}. ${timesAsked(operation)}.`;
    case 'no-reading':
      return say`${it}: unknown whether it is canceled, because the hosting service has given no usable answer since.`;
    case 'no-end':
      return say`${it}: unknown whether it is canceled. The service took the request, but doesn't show until when it runs after ${duration(tookOf(operation, outcome.at))}. I stopped watching; ask your hosting service.`;
    default:
      return undefined;
  }
}

/** Until when it runs, as far as a poll has seen it: ": it runs until 31 Dec". */
function untilWords({ execution: { lastState } }: Operation): Phrase {
  if (!lastState) return say``;
  const at = endOf(lastState);
  if (at !== undefined) return say`: it ${stays(lastState)} until ${time(at)}`;
  return lastState.status === 'gone' || lastState.status === 'deleted' ? say`: it is gone` : say``;
}

/** What one does until its end. */
function stays({ status }: { readonly status: string }): string {
  return status === 'stopped' || status === 'paused' ? 'stays' : 'runs';
}
