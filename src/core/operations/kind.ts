import type { Permission } from '../policy/permissions.ts';
import type { WriteAnswer, WriteOptions } from '../../platform/hosting/service.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';
import type { Operation, Outcome, Seen } from './operation.ts';
import type { Observer } from './observer.ts';

/** What a look at the instance means for the operation. */
export type Judgement =
  | { readonly next: 'look'; readonly slow?: boolean }
  | { readonly next: 'send' }
  | { readonly next: 'end'; readonly outcome: Omit<Outcome, 'at'> };

/** One kind of operation, as a feature brings it. */
export interface OperationKind {
  /** The same string as the route's id. */
  readonly kind: string;
  /** Checked again before the call. */
  readonly permission: Permission;
  /** How its subject is looked at; one read serves every operation with the same. */
  readonly observer: Observer;
  /** Pure: the ids that stand in the path of its call; without it, that of its subject. */
  idsOf?(operation: Operation): readonly string[];
  /** Looks once more just before a call: what stands in its way, or undefined. Throws HostingError. */
  prepare?(operation: Operation): Promise<Omit<Outcome, 'at'> | undefined>;
  /** Asks the service, once. Throws HostingError. */
  send(operation: Operation, options: WriteOptions): Promise<WriteAnswer>;
  /** Pure: what `seen` means for an operation that is `unsure` or `watching`. */
  judge(operation: Operation, seen: Seen, now: number): Judgement;
  /** Pure: what to make of an answer "wrong state", with what a look showed if one could be had. */
  judgeRefused(
    operation: Operation,
    seen: Seen | undefined,
    said: string | undefined,
  ): Omit<Outcome, 'at'> | 'under way';
  /** Pure: the card while it has no outcome. */
  card(operation: Operation): Message;
  /** Pure: the sentence that tells the end to those who wait for it. */
  ending(operation: Operation, outcome: Outcome): Phrase;
  /** Pure: what can be done next after an end that failed or is unknown, at most two. Their value is its id. */
  nextSteps(operation: Operation, outcome: Outcome): readonly Button[];
  /** What it is about in a sentence, where that is not its instance: "llm on web-1 (101)". */
  topic?(operation: Operation): Phrase;
  /** What its topic is in the middle of, after "is": "restarting". */
  readonly doing: string;
  /** What its topic waits for in a cancel window, after "will": "be deleted". */
  readonly coming?: string;
}
