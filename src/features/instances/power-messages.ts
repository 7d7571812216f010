import { answerTold, endingOfAnyKind } from '../../core/operations/kind.ts';
import { duration } from '../../platform/time/duration.ts';
import type { AboutService, Forcible, Instance, Power } from '../../platform/hosting/service.ts';
import { tookOf } from '../../core/operations/cancel-window.ts';
import { subject, timesAsked } from '../../core/operations/messages.ts';
import type { Operation, Outcome } from '../../core/operations/operation.ts';
import type { Button } from '../../platform/slack/message.ts';
import { ago, person, type Phrase, say } from '../../platform/slack/phrase.ts';
import { nameOf, pausedWords, statusOf, statusWords } from '../../core/instances/messages.ts';
import type { ReasonToAsk } from './before-power.ts';
import { FORCE_ROUTES, LIST_ROUTE, SHOW } from './route-ids.ts';

export const WORDS: Readonly<Record<Power, { doing: string; done: string; label: string }>> = {
  start: { doing: 'Starting', done: 'Started', label: 'Start' },
  stop: { doing: 'Stopping', done: 'Stopped', label: 'Stop' },
  restart: { doing: 'Restarting', done: 'Restarted', label: 'Restart' },
};

/** How a power action ended, as one sentence that stands by itself. */
export function powerEnding(power: Power, operation: Operation, outcome: Outcome): Phrase {
  const it = subject(operation);
  const { done } = WORDS[power];
  const { lastState } = operation.execution;
  const now =
    lastState &&
    `${statusWords(lastState)}${lastState.status === 'running' && lastState.health === 'unhealthy' ? ', but unhealthy' : ''}`;
  const state = now === undefined ? say`` : say` It is ${now} now.`;
  const took = duration(tookOf(operation, outcome.at));
  const could = say`Could not ${power} ${it}`;
  const paused = pausedWords(lastState ?? {});
  switch (outcome.code) {
    case 'done':
      return power === 'restart'
        ? say`${done} ${it}: it is running again, after ${took}.`
        : say`${done} ${it} in ${took}.`;
    case 'accepted':
      // Not "restarted": where the status never left running, nothing shows that it did.
      return say`Asked ${it} to ${power}. It is ${now ?? 'of unknown status'}, and the service doesn't show whether it ${done.toLowerCase()}.`;
    case 'found-done':
      return say`${done} ${it}: ${changeSeen(operation, now ?? 'as asked')}, though ${answerTold(operation)}.`;
    case 'as-before':
      return say`${it} is ${now ?? 'as asked'}, as it was before, and ${answerTold(operation)}. I can't tell whether my ${power} did anything.`;
    case 'already':
      return say`${it} is ${now ?? 'as asked'} already. Nothing was changed.`;
    case 'no-answer':
      return say`${it}: unknown whether it ${done.toLowerCase()}, because ${answerTold(operation)}.${stateNow(now)} ${timesAsked(operation)}.`;
    case 'not-begun':
      return say`${could}: ${answerTold(operation)}, and the service lists no ${power} of it since then.${state} Try again.`;
    case 'no-reading':
      return say`${it}: unknown how the ${power} ended, because the hosting service has given no usable answer since.`;
    case 'no-end':
      return say`${it} is still ${now ?? 'not ready'} after ${took}. I stopped watching.`;
    case 'gone':
      return say`${could}: there is no such instance any more.`;
    case 'paused':
      return say`${could}: it is ${paused.is}. ${paused.next}, then try again.`;
    case 'broken':
      return say`${could}: it reports ${now ?? 'an error'}. Look at its log, then try again.`;
    default:
      return endingOfAnyKind(operation, outcome, {
        could,
        didNot: say`Did not ${power} ${it}`,
        state,
      });
  }
}

/** "Running now.", to follow a sentence; empty where nothing was seen. */
function stateNow(now: string | undefined): Phrase {
  return now === undefined ? say`` : say` ${now.charAt(0).toUpperCase()}${now.slice(1)} now.`;
}

/** What was seen to happen: "it went from stopped to running". */
function changeSeen({ subject: { status }, execution }: Operation, now: string): string {
  const before = status.replaceAll('_', ' ');
  const onTheWay = execution.progressWord?.replaceAll('_', ' ');
  if (onTheWay !== undefined) return `it went from ${before} through ${onTheWay} to ${now}`;
  return before === now ? `it changed on the way and is ${now}` : `it went from ${before} to ${now}`;
}

/** What --dry-run answers. */
export function wouldPower(
  power: Power,
  instance: Instance,
  reasonToAsk: ReasonToAsk | undefined,
  { stoppedCosts }: Pick<AboutService, 'stoppedCosts'>,
): Phrase {
  const costs = power === 'stop' && stoppedCosts !== undefined ? say` ${stoppedCosts}` : say``;
  const first = reasonToAsk ? say` I would ask you first, because ${whyWords(reasonToAsk)}.` : say``;
  return say`Would ${power} ${nameOf(instance)}, which is ${statusOf(instance)}.${first}${costs} This was a dry run: nothing was done.`;
}

/** Why a stop or restart asks first, after "because". */
function whyWords(reasonToAsk: ReasonToAsk): Phrase {
  switch (reasonToAsk.why) {
    case 'protected':
      return say`it is protected`;
    case 'restart-loop':
      return say`it was asked to restart ${reasonToAsk.times} times within a day, which looks like a restart loop`;
    case 'save-credits':
      return say`it was picked to save credits, and what it serves will be down`;
    case 'restart-unknown':
      return say`a restart of ${ago(reasonToAsk.past.at)} ended unknown`;
    case 'restarted-lately':
      return reasonToAsk.past.result === 'asked'
        ? say`${person(reasonToAsk.past.userId)} asked it to restart ${ago(reasonToAsk.past.at)}`
        : say`${person(reasonToAsk.past.userId)} restarted it ${ago(reasonToAsk.past.at)}`;
    case 'started-by-another':
      return say`${person(reasonToAsk.past.userId)} started it ${ago(reasonToAsk.past.at)}`;
  }
}

/** Why an instance is left out of several that were shown before, as what follows its name. */
export function notAsShown(reasonToAsk: ReasonToAsk): Phrase {
  return say`is not as it was shown: ${whyWords(reasonToAsk)}`;
}

/** Asks before a forced stop or restart. `again`: what was done since it was asked before. */
export function askBeforeForce(
  power: Forcible,
  instance: Instance,
  again: ReasonToAsk | undefined,
): readonly Phrase[] {
  return [
    say`Force-${power} ${nameOf(instance)}? Its power is cut, and what it has not written to its disk is lost.`,
    ...(again ? [say`Since you were asked: ${whyWords(again)}.`] : []),
    say`It is ${statusOf(instance)} now. Nothing has been done yet.`,
  ];
}

/** Asks before a stop or restart. */
export function askFirst(power: Power, instance: Instance, reasonToAsk: ReasonToAsk): Phrase[] {
  return [
    say`${WORDS[power].label} ${nameOf(instance)}? ${upperFirst(whyWords(reasonToAsk))}.`,
    say`It is ${statusOf(instance)} now. Nothing has been done yet.`,
  ];
}

/** The same as a sentence of its own: what begins with a person stays as it is. */
function upperFirst([first, ...rest]: Phrase): Phrase {
  if (first?.type !== 'text') return first ? [first, ...rest] : [];
  return [{ ...first, text: `${first.text.charAt(0).toUpperCase()}${first.text.slice(1)}` }, ...rest];
}

/** The button on the card of an ended power action for what can be done next. */
export function powerNextButton(power: Power, next: Power, operation: Operation, outcome: Outcome): Button {
  const button = powerButton(next, operation.id);
  if (next !== power) return button;
  const isUnknownRestart = power === 'restart' && outcome.result === 'unknown';
  return { ...button, label: isUnknownRestart ? 'Restart again' : 'Try again' };
}

/** The button that asks for what the graceful way didn't do. */
export function forceButton(power: Forcible, value: string): Button {
  return { label: `Force ${power}…`, routeId: FORCE_ROUTES[power], value, style: 'danger' };
}

/** The button of a power action. `value` is an offer's id. */
export function powerButton(power: Power, value: string): Button {
  const label = WORDS[power].label;
  return { label, routeId: `instances.${power}`, value, ...(power === 'start' ? { style: 'primary' } : {}) };
}

/** The button of an ended operation that shows its instance as it is then; all of them where it is gone. */
export function showButton({ id }: Pick<Operation, 'id'>, { code, result }: Outcome): Button {
  if (code === 'gone') return { label: 'All instances', routeId: LIST_ROUTE, value: id };
  // Nothing watches it any more, and it may have come further since.
  const isOpen = result === 'unknown' || code === 'no-end';
  return { label: isOpen ? 'Look again' : 'Show', routeId: SHOW, value: id };
}
