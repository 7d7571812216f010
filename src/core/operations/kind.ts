import type { Permission } from '../policy/permissions.ts';
import type { WriteAnswer, WriteOptions } from '../../platform/hosting/service.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { type Phrase, person, say, plain } from '../../platform/slack/phrase.ts';
import type { ObservedState, Operation, Outcome } from './operation.ts';
import { serviceSaid } from '../outcome-words.ts';
import { keyFaultWords } from '../../platform/hosting/hosting-error.ts';

/** How operations learn what became of their subjects. */
export interface Observer {
  /** One list shows the subjects of many operations, so that one more costs nothing. */
  readonly isByList?: true;
  /** Asks the service once for all of `operations`; each then gets the state of its own. Throws HostingError. */
  observe(operations: readonly Operation[]): Promise<(operation: Operation) => Promise<ObservedState>>;
}

/** What one operation's observer shows now. Throws HostingError. */
export async function observeOne(observer: Observer, operation: Operation): Promise<ObservedState> {
  const stateOf = await observer.observe([operation]);
  return stateOf(operation);
}

/** What a poll means for the operation. */
export type Judgment =
  | { readonly next: 'poll'; readonly slow?: boolean }
  | { readonly next: 'send' }
  | { readonly next: 'end'; readonly outcome: Omit<Outcome, 'at'> };

/** One kind of operation, as a feature brings it. */
export interface OperationKind {
  /** The same string as the route's id. */
  readonly kind: string;
  /** By which rules name it: "restart". */
  readonly verb: string;
  /** Checked again before the call. */
  readonly permission: Permission;
  /** How the state of its subject is read; one read serves every operation with the same observer. */
  readonly observer: Observer;
  /** Pure: the ids that stand in the path of its call; without it, that of its subject. */
  idsOf?(operation: Operation): readonly string[];
  /** Reads once more just before a call: what stands in its way, or undefined. Throws HostingError. */
  prepare?(operation: Operation): Promise<Omit<Outcome, 'at'> | undefined>;
  /** Asks the service, once. Throws HostingError. */
  send(operation: Operation, options: WriteOptions): Promise<WriteAnswer>;
  /** Pure: what `observed` means for an operation that is `unknown` or `accepted`. */
  judge(operation: Operation, observed: ObservedState, now: number): Judgment;
  /** Pure: what to make of an answer "wrong state", with the state that was read after it, if it could be. */
  judgeRefused(
    operation: Operation,
    observed: ObservedState | undefined,
    said: string | undefined,
  ): Omit<Outcome, 'at'> | 'under way';
  /** Pure: the card while it has no outcome. */
  card(operation: Operation): Message;
  /** Pure: the sentence that tells the end to those who wait for it. */
  ending(operation: Operation, outcome: Outcome): Phrase;
  /** Pure: what can be done next after an end that failed or is unknown, at most two. Their value is its id. */
  nextSteps(operation: Operation, outcome: Outcome): readonly Button[];
  /** Pure: what can be done about its way back while that waits. */
  wayBackSteps?(operation: Operation): readonly Button[];
  /** What it is about in a sentence, where that is not its instance: "llm on web-1 (101)". */
  topic?(operation: Operation): Phrase;
  /** What its topic is in the middle of, after "is": "restarting". */
  readonly doing: string;
  /** What its topic waits for in a cancel window, after "will": "be deleted". */
  readonly coming?: string;
  /** The button that cancels one, where "Cancel" would say what it does itself. */
  readonly keep?: string;
}

/**
 * How an operation of any kind ended that did not come to what was asked. `could`: "Could not restart web-1 (101)";
 * `didNot`: "Did not restart web-1 (101)"; `state`: what is known of it now, as a sentence.
 */
export function endingOfAnyKind(
  operation: Operation,
  outcome: Outcome,
  { could, didNot, state }: { readonly could: Phrase; readonly didNot: Phrase; readonly state: Phrase },
): Phrase {
  const said = serviceSaid(outcome.said);
  switch (outcome.code) {
    case 'wrong-state':
    case 'bad-input':
    case 'refused':
      return say`${could}: the service refused.${state}${said}`;
    case 'action-failed':
      return say`${could}: the service began it and says that it failed.${state}${said}`;
    case 'protected':
      return say`${could}: the hosting service protects it against that. Lift the protection there first.${said}`;
    case 'busy':
      return say`${could}: the hosting service is doing something else with it.${state}${said} Nothing was done; try again in a minute.`;
    case 'no-credit':
      return say`${could}: there is not enough credit. Top up, then try again.${said}`;
    case 'unauthorized':
    case 'forbidden':
      return say`${could}: the hosting service ${keyFaultWords(outcome.code)}.${said} The person who runs the bot must check it.`;
    case 'not-built':
      return say`${could}: the bot's adapter for the hosting service couldn't ask for it. Nothing was done. The person who runs the bot must check it.`;
    case 'bad-id':
      return say`${could}: I can't use its id with the hosting service. Nothing was done; do it on the service's own site.`;
    case 'rate-limited':
      return say`${could}: the hosting service isn't taking more requests right now. Nothing was done; try again in a minute.`;
    case 'unreachable':
      return say`${could}: the hosting service could not be reached. Nothing was done; try again in a minute.`;
    case 'no-right':
      return say`${didNot}: the person who asked no longer has the right to. Nothing was done.`;
    case 'approver-no-right':
      return say`${didNot}: the person who approved it no longer has the right to. Nothing was done.`;
    case 'frozen':
      return say`${didNot}: instances were frozen before it was done. Nothing was done. To see the freeze, type /lamplighter freeze.`;
    case 'needs-approval':
      return say`${didNot}: someone else must approve that by now, and nobody has. Nothing was done. Ask again to have it approved.`;
    case 'not-checked':
      return say`${didNot}: I could not check whether the person who asked may do that. Nothing was done; try again in a minute.`;
    case 'too-late':
      return say`${didNot}: it took too long to get to it, and you may have moved on. Nothing was done; ask again if you still want it.`;
    case 'queue-too-long':
      return say`${didNot}: it waited too long in line at the hosting service. Nothing was done; ask again if you still want it.`;
    case 'not-shown':
      return say`${didNot}: Slack didn't accept a message for it, so nobody could have followed or canceled it. Nothing was done; ask again if you still want it.`;
    case 'bot-refused':
      return say`${didNot}: Slack refuses the bot (${operation.card.fault ?? 'refused'}), so nobody could have followed it. Nothing was done. An admin of this workspace must install the app again.`;
    case 'canceled':
      return operation.canceledBy === undefined
        ? say`${didNot}: it was canceled. Nothing was done.`
        : say`${didNot}: ${person(operation.canceledBy)} canceled it. Nothing was done.`;
    case 'changed':
      return say`${didNot}: a different instance has its id now. Nothing was done; ask again to see what is there.`;
    default:
      return say`${could}: the hosting service gave no usable answer before I asked for it, so nothing was done.${said}${state} Try again in a minute.`;
  }
}

/**
 * What was answered to a call whose end its answer doesn't tell, to follow "because" or "though": "the service's answer was
 * lost", or what it was and said.
 */
export function answerTold({ execution: { answerStatus: status, answerSaid } }: Operation): Phrase {
  if (status === undefined) return say`the service's answer was lost`;
  const said = answerSaid === undefined ? say`` : say`: "${plain(answerSaid, 200)}"`;
  return status === 408 || status >= 500
    ? say`the service answered with an error (${status})${said}`
    : say`the service's answer (${status}) says neither yes nor no${said}`;
}

/** What the service had to do with an end that had come by itself. */
export function nothingAsked({ execution: { sends } }: Operation): string {
  return sends > 0 ? 'The service refused my call.' : 'Nothing was asked of the service.';
}
