import { answerTold, endingOfAnyKind } from '../operations/kind.ts';
import { duration } from '../../platform/time/duration.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { type Button, buttonsAbout, type Message, twoAndMenu } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { nameOf, statusOf } from '../instances/messages.ts';
import type { Links } from '../links.ts';
import { isInCancelWindow, isQueued, tookOf } from '../operations/cancel-window.ts';
import {
  askedBy,
  cancelButton,
  inCancelWindow,
  progress,
  requestWords,
  timesAsked,
} from '../operations/messages.ts';
import { reason } from '../ask/messages.ts';
import { isNotDone, type Operation, type Outcome } from '../operations/operation.ts';
import { wayBackButtons, wayBackLines, type WayBackRoutes } from '../operations/way-back.ts';
import type { Confirm, Words } from './declaration.ts';

/** Where the buttons of a card lead while there is no outcome. */
export interface CardRoutes extends WayBackRoutes {
  /** The route of the button that cancels an operation in its cancel window. */
  readonly cancelRoute: string;
  /** The routes of what can be done while one takes longer than usual: see its instance, and be notified of its end. */
  readonly showRoute: string;
  readonly followRoute: string;
  readonly links: Pick<Links, 'console'>;
}

/** The card while there is no outcome: what is being done, by whom it was asked, and what is known on the way. */
export function changeCard(
  operation: Operation,
  { doing, loses, keep }: Words,
  object: Phrase,
  routes: CardRoutes,
): Message {
  const asked = askedBy(operation);
  const note = requestWords(operation);
  const { cancelRoute } = routes;
  if (isInCancelWindow(operation) && !isQueued(operation)) {
    const losing = loses === undefined ? say`` : say`${loses} `;
    return {
      lines: [
        say`🗑️ ${doing} ${object} ${inCancelWindow(operation)}, ${asked}`,
        // What is lost may come at another time.
        ...(keep === undefined
          ? [say`${losing}Until then it can be canceled.`]
          : [say`Until then it can be called off.`, losing]),
        ...reason(operation),
      ],
      note,
      buttons: [cancelButton(operation, cancelRoute, keep)],
    };
  }
  const usually =
    operation.usuallyMs === undefined ? say`` : say` · usually ${duration(operation.usuallyMs)}`;
  const steps = isQueued(operation)
    ? [cancelButton(operation, cancelRoute, keep)]
    : operation.execution.slow
      ? whileSlow(operation, routes)
      : [];
  return {
    lines: [
      say`⏳ ${doing} ${object}, ${asked}${usually}`,
      ...progress(operation),
      ...reason(operation),
      ...wayBackLines(operation.wayBack, false),
    ],
    note,
    ...twoAndMenu([...steps, ...wayBackSteps(operation, routes)]),
  };
}

/** What can be done about the way back of an operation while that waits. Pure. */
export function wayBackSteps(operation: Operation, routes: WayBackRoutes): readonly Button[] {
  return buttonsAbout(operation.subject, wayBackButtons(operation.wayBack, isNotDone(operation), routes));
}

/** What anybody can do while it takes longer than usual. */
function whileSlow(
  { id, subject }: Operation,
  { showRoute, followRoute, links }: CardRoutes,
): readonly Button[] {
  return buttonsAbout(subject, [
    { label: 'Keep me posted', routeId: followRoute, value: id },
    ...links.console(subject.id),
    { label: 'Show', routeId: showRoute, value: id },
  ]);
}

/** What the sentence of an end is made of. */
export interface Ending {
  readonly verb: string;
  readonly done: string;
  /** What follows the verb. */
  readonly object: Phrase;
  /** What it is about: the instance, or a part of it. */
  readonly topic: Phrase;
}

/** How a change ended, as one sentence that stands by itself. */
export function changeEnding(operation: Operation, outcome: Outcome, words: Ending): Phrase {
  const { verb, done, object, topic } = words;
  const took = duration(tookOf(operation, outcome.at));
  const wasDone = `it was ${done.toLowerCase()}`;
  switch (outcome.code) {
    case 'done':
      return say`${done} ${object} in ${took}.`;
    case 'found-done':
      return say`${done} ${object}: I can see the change since my call, though ${answerTold(operation)}.`;
    case 'already':
      return say`${topic} is as asked already. Nothing was changed.`;
    case 'gone':
      return say`Could not ${verb} ${object}: there is no such instance any more.`;
    case 'no-answer':
      return say`${topic}: unknown whether ${wasDone}, because ${answerTold(operation)}. ${timesAsked(operation)}.`;
    case 'no-reading':
      return say`${topic}: unknown whether ${wasDone}, because the hosting service has given no usable answer since.`;
    case 'no-end':
      return say`${topic}: the service took the request, but nothing shows it after ${took}. I stopped watching.`;
    default:
      return endingOfAnyKind(operation, outcome, {
        could: say`Could not ${verb} ${object}`,
        didNot: say`Did not ${verb} ${object}`,
        state: say``,
      });
  }
}

/** What a dry run answers. */
export function wouldChange(
  what: Phrase,
  instance: Instance,
  confirm: Confirm | undefined,
  word: string | undefined,
): Message {
  const first =
    confirm === undefined
      ? say``
      : confirm.how === 'typed'
        ? say`ask you to type ${word ?? ''} and then `
        : say`ask you and then `;
  return {
    lines: [
      say`Would ${first}${what}; ${nameOf(instance)} is ${statusOf(instance)}. This was a dry run: nothing was done.`,
    ],
  };
}
