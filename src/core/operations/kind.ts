import type { Permission } from '../policy/permissions.ts';
import type { WriteAnswer, WriteOptions } from '../../platform/hosting/service.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';
import type { ObservedState, Operation, Outcome } from './operation.ts';

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
