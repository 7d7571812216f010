import { type Button, buttonsAbout, type Message, twoAndMenu } from '../../platform/slack/message.ts';
import { ago, join, person, type Phrase, plain, say, second, strong } from '../../platform/slack/phrase.ts';
import { reason } from '../ask/messages.ts';
import { statusWords } from '../instances/messages.ts';
import { answerTold, type OperationKind } from './kind.ts';
import { promised } from '../../platform/time/duration.ts';
import { MIN_FAILED_POLLS } from './content-key.ts';
import { cancelWindowLeftRoughlyMs, isInCancelWindow, isQueued } from './cancel-window.ts';
import { canBeTakenBack, queuePlace } from './write-queue.ts';
import type { NoticeKind } from './asker-notice.ts';
import { audience, isLeftOpen, isNotDone, type Operation, type Outcome } from './operation.ts';
import { wayBackLines } from './way-back.ts';
import type { Parts } from '../parts/parts.ts';

/** The name and id of what an operation is about, as every card shows them. */
export function subject(operation: Operation): Phrase {
  return say`${strong(operation.subject.name)} (${operation.subject.id})`;
}

/** The button that tells what happened around something, by its reference. `routeId`: of the story. */
export function storyButton(routeId: string, reference: string): Button {
  return { label: 'Tell the story', routeId, value: reference };
}

/** Who asked for it and when, and who has it since it was handed over. Pure. */
export function askedBy({
  actor,
  requestedAt,
  owner,
}: Pick<Operation, 'actor' | 'requestedAt' | 'owner'>): Phrase {
  return say`asked by ${person(actor.userId)} ${ago(requestedAt)}${hadBy(owner)}`;
}

/** Who has it since it was handed over, where it was. Pure. */
export function hadBy(owner: string | undefined): Phrase {
  return owner === undefined ? say`` : say` · ${person(owner)} has it`;
}

/** Short enough to read out to somebody, and in every line of the log. */
export function requestWords(operation: Operation): Phrase {
  return say`Request ${operation.id.slice(0, 8)}`;
}

/** How often the service was asked for what nobody knows the end of. */
export function timesAsked({ execution: { sends } }: Operation): string {
  return sends > 1 ? `Asked ${sends} times` : 'Not retried';
}

export const OUTCOME_ICONS: Readonly<Record<Outcome['result'], string>> = {
  done: '✅',
  asked: '📨',
  failed: '❌',
  unknown: '❔',
  canceled: '⚪',
};

/** The icon of an outcome; its words always stand beside it. */
function icon(outcome: Outcome): string {
  return OUTCOME_ICONS[outcome.result];
}

/** The one reply in the card's thread, because an edit notifies nobody. `mentioned`: ids of those who are to hear of the end. */
export function reply(
  operation: Operation,
  kind: OperationKind | undefined,
  mentioned: readonly string[],
): Message {
  const people = mentioned.map((userId) => say`${person(userId)}`);
  const { outcome } = operation;
  if (!kind) return { lines: [say`${join(people, ' ')} ${parkedWords(operation)}`] };
  const end = outcome ? kind.ending(operation, outcome) : say`Still working on it.`;
  return { lines: [say`${join(people, ' ')} ${end}`] };
}

/** What the asker alone reads while Slack takes no card: the same, and why it is not in the channel. */
export function noticeMessage(card: Message, kind: NoticeKind): Message {
  const { buttons: _, menu: __, ...said } = card;
  const why =
    kind === 'begun'
      ? say`Slack hasn't confirmed my message for the channel yet, so I tell you alone. I go ahead.`
      : say`Slack hasn't confirmed my message in the channel, so I'm telling you here.`;
  return { ...said, lines: [...said.lines, why] };
}

/** The card of an operation of any kind once it has ended: the outcome first, and what can be done next. `storyRoute`: what tells how it came to that. */
export function endedCard(
  operation: Operation,
  outcome: Outcome,
  kind: Pick<OperationKind, 'ending' | 'nextSteps' | 'wayBackSteps'>,
  storyRoute: string,
): Message {
  const next = nextOf(operation, kind);
  const back = kind.wayBackSteps?.(operation) ?? [];
  return {
    lines: [
      say`${icon(outcome)} ${kind.ending(operation, outcome)}`,
      askedBy(operation),
      ...reason(operation),
      ...wayBackLines(operation.wayBack, isNotDone(operation)),
      ...next.lines,
    ],
    note: requestWords(operation),
    ...twoAndMenu(
      [...next.buttons, ...back],
      hasStory(operation, outcome) ? [storyButton(storyRoute, operation.id)] : [],
    ),
  };
}

/** Whether more happened than its card says: somebody approved it, or nobody can leave it at that. */
function hasStory({ approvedBy }: Operation, outcome: Outcome): boolean {
  return approvedBy !== undefined || isLeftOpen(outcome);
}

/** What can be done next; a button that has begun something gives way to who pressed it. */
function nextOf(
  operation: Operation,
  kind: Pick<OperationKind, 'nextSteps'> | undefined,
): { readonly lines: readonly Phrase[]; readonly buttons: readonly Button[] } {
  const { outcome, next } = operation;
  const steps = outcome && isLeftOpen(outcome) && kind ? kind.nextSteps(operation, outcome) : [];
  const buttons = buttonsAbout(operation.subject, steps);
  if (!next) return { lines: [], buttons };
  const label = steps.find(({ routeId }) => routeId === next.kind)?.label ?? 'Next';
  return {
    lines: [say`${label}: asked by ${person(next.userId)} ${ago(next.at)}.`],
    buttons: buttons.filter(({ routeId }) => routeId !== next.kind),
  };
}

/** What no kind of operation could bring to its end: said without it. `kind`: undefined where this version knows none. */
export function deadLetteredCard(
  operation: Operation,
  kind: Pick<OperationKind, 'nextSteps'> | undefined,
): Message {
  const next = nextOf(operation, kind);
  return {
    lines: [
      say`${operation.outcome ? icon(operation.outcome) : '❔'} ${parkedWords(operation)}`,
      askedBy(operation),
      ...next.lines,
      requestWords(operation),
    ],
    ...twoAndMenu(next.buttons),
  };
}

function parkedWords(operation: Operation): Phrase {
  const { outcome } = operation;
  if (outcome?.result === 'canceled')
    return say`I gave up on ${subject(operation)} after repeated errors, before I could ask for anything, so nothing was done.`;
  return say`I gave up on ${subject(operation)} after repeated errors. What was asked may or may not have been done; please check it yourself.`;
}

/** An operation that has not ended, as others read of it. */
export interface Ongoing {
  readonly operation: Operation;
  readonly kind: Pick<OperationKind, 'topic' | 'doing' | 'coming' | 'keep'>;
  /** A link to its card as a sentence, or nothing. */
  readonly link: Phrase;
}

/** "web-1 (101) is restarting, asked by …", or "will be deleted in 90 s, …" while nothing was asked of the service. */
export function ongoing(one: Ongoing, now: number, isAlready = false): Phrase {
  return say`${underWay(one, now, isAlready)}, ${askedBy(one.operation)}`;
}

/** The same without who asked. */
export function underWay(
  { operation, kind }: Pick<Ongoing, 'operation' | 'kind'>,
  now: number,
  isAlready = false,
): Phrase {
  const clause = (): string => {
    if (operation.outcome) return 'has ended, and its card is about to say how';
    if (isQueued(operation)) return 'waits in line at the hosting service';
    return isInCancelWindow(operation) && kind.coming !== undefined
      ? `will ${kind.coming} in ${promised(cancelWindowLeftRoughlyMs(operation, now))}`
      : `is ${isAlready ? 'already ' : ''}${kind.doing}`;
  };
  const topic = kind.topic?.(operation) ?? subject(operation);
  return say`${topic} ${clause()}`;
}

/** What one person can do about an operation that has not ended: cancel it before its call, or be notified of its end. */
export function partIn(
  { operation, kind }: Pick<Ongoing, 'operation' | 'kind'>,
  userId: string,
  routes: Pick<Parts, 'followRoute' | 'cancelRoute'>,
): readonly Button[] {
  const isNotified = audience(operation).includes(userId);
  return [
    ...(canBeTakenBack(operation) ? [cancelButton(operation, routes.cancelRoute, kind.keep)] : []),
    ...(isNotified ? [] : [{ label: 'Tell me too', routeId: routes.followRoute, value: operation.id }]),
  ];
}

/** The second person reads who is on it, and may follow. */
export function busy(
  holder: Ongoing,
  asked: { readonly isSameKind: boolean; readonly userId: string; readonly now: number },
  routes: Pick<Parts, 'followRoute' | 'cancelRoute'>,
): Message {
  // What is about to be deleted is not there to do anything else with later.
  const other = canBeTakenBack(holder.operation)
    ? say` To do something else with it, cancel that first.`
    : say` Try again when it's finished.`;
  const advice = asked.isSameKind ? say`` : other;
  const buttons = buttonsAbout(holder.operation.subject, partIn(holder, asked.userId, routes));
  return {
    lines: [say`${ongoing(holder, asked.now, asked.isSameKind)}.${advice}${holder.link}`],
    ...(buttons.length > 0 ? { buttons } : {}),
  };
}

const MAX_MENU_LINES = 5;

/** What is running now, one line each; what has not been asked of the service can be canceled from here. */
export function openOperations(running: readonly Ongoing[], now: number, cancelRoute: string): Message {
  if (running.length === 0) return { lines: [say`Nothing is in progress.`] };
  const count =
    running.length === 1 ? 'One operation is in progress' : `${running.length} operations are in progress`;
  return {
    lines: [say`${count}:`],
    bullets: running.map((one) => say`${ongoing(one, now)}.${one.link}`),
    ...cancelButtons(running, cancelRoute),
  };
}

/** The buttons and the menu with which those of `running` can be canceled that can be. */
export function cancelButtons(
  running: readonly Pick<Ongoing, 'operation' | 'kind'>[],
  cancelRoute: string,
): Pick<Message, 'buttons' | 'menu'> {
  const cancels = running
    .filter(({ operation }) => canBeTakenBack(operation))
    .map(({ operation, kind: { keep } }) => {
      const button = cancelButton(operation, cancelRoute, keep);
      const what = canceledWhat(operation);
      const label = keep === undefined ? `${button.label} ${what}` : `${keep}: ${what}`;
      return running.length === 1 ? button : { ...button, label };
    });
  // One is pressed at once; the rest goes into the menu, so that a long list doesn't fill the screen.
  const menu = cancels.slice(1, 1 + MAX_MENU_LINES);
  return {
    ...(cancels.length > 0 ? { buttons: cancels.slice(0, 1) } : {}),
    ...(menu.length > 0 ? { menu } : {}),
  };
}

/** What would be canceled, short enough for a button: "llm, web-1 (101)". */
function canceledWhat({ subject: { id, name }, part }: Operation): string {
  const instance = `${plain(name, 30)} (${plain(id, 12)})`;
  return part === undefined ? instance : `${plain(part, 20)}, ${instance}`;
}

/** What is known on the way to the end, where there is anything to add; that it is gone was said only once there. */
export function progress(operation: Operation): Phrase[] {
  const { execution } = operation;
  const lines: Phrase[] = queuePlace(operation);
  if (execution.state === 'unknown') {
    const told = answerTold(operation);
    lines.push(
      say`I don't know yet whether it was done: ${told}. I'm still checking, and won't do anything else until I know.`,
    );
  } else if (
    execution.lastState &&
    ![operation.subject.status, 'gone'].includes(execution.lastState.status) &&
    operation.part === undefined
  ) {
    lines.push(say`It reports ${statusWords(execution.lastState)}.`);
  }
  if (execution.slow)
    lines.push(say`This is taking longer than usual. I'm still watching, and I'll say how it ends.`);
  if (execution.isDown) lines.push(say`The hosting service isn't answering right now. I'll keep trying.`);
  else if (execution.failedPolls >= MIN_FAILED_POLLS)
    lines.push(say`The hosting service isn't giving a usable answer right now. I'll keep trying.`);
  return lines;
}

/** When it will be asked for: "at 14:03:20", or "in 2 min" until its card stands and the time for it runs. */
export function inCancelWindow({ cancelWindowMs = 0, cancelWindowEndsAt }: Operation): Phrase {
  return cancelWindowEndsAt === undefined
    ? say`in ${promised(cancelWindowMs)}`
    : say`at ${second(cancelWindowEndsAt)}`;
}

/** The button that cancels an operation in its cancel window. `label`: that of its kind, where it has one. */
export function cancelButton(operation: Operation, routeId: string, label = 'Cancel'): Button {
  return { label, routeId, value: operation.id, about: operation.subject };
}
