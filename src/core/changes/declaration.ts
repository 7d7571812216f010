import type { z } from 'zod';
import type { Instance, Power, WriteAnswer, WriteOptions } from '../../platform/hosting/service.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';
import type { Judgment, Observer } from '../operations/kind.ts';
import type { ButtonToken } from '../offers/offers.ts';
import type { ObservedState, Operation, Outcome } from '../operations/operation.ts';
import type { PastAsRead } from '../operations/past.ts';
import type { Back, KeptEnd } from '../operations/way-back.ts';
import type { SeveralWords } from '../batches/words.ts';
import type { Permission } from '../policy/permissions.ts';
import type { Spoken } from '../sentences/phrasebook.ts';
import type { Ask } from '../ask/ask.ts';

/** What a verb takes besides its instance. */
export type Args = Readonly<Record<string, unknown>>;

/** What a person gave, before anything is looked up. */
export interface Given {
  readonly ask: Ask;
  /** The words after the verb that are no options. */
  readonly words: readonly string[];
  /** The options beside --because and --dry-run, by name. */
  readonly options: Readonly<Record<string, string>>;
  /** The words that say until when, where it takes such: "for 4h". */
  readonly end?: readonly string[];
  /** What the pressed button asked for. */
  readonly buttonToken: ButtonToken | undefined;
}

/** What was given, read. */
export interface ChangeRequest<A extends Args> {
  /** The words that name the instance. */
  readonly names: readonly string[];
  /** The arguments, or how they are found once the instance is known. Throws a Refusal. */
  readonly args: A | ((instance: Instance) => Promise<A>);
  /** The verb as the question for an instance says it, where that is more than the verb: "add llm to". */
  readonly asking?: string;
}

/** The change that is to be checked before it is begun. */
export interface ToCheck<A extends Args> {
  readonly ask: Ask;
  readonly instance: Instance;
  readonly args: A;
  /** What the pressed button asked for. */
  readonly buttonToken: ButtonToken | undefined;
  /** Whether the person has said yes to what they were shown. */
  readonly isConfirmed: boolean;
  /** When that was shown, Unix ms: what was done since is new to them, and asks again. */
  readonly shownAt?: number;
}

/** To whom something was shown, and when, Unix ms: what was done since is new to them. */
export interface ShownTo {
  readonly userId: string;
  readonly shownAt: number;
}

/** What a check found before a change is begun. */
export interface Checked {
  /** The instance, where it was read again. */
  readonly instance?: Instance;
  /** What is shown and asked; without it, the change begins at once. After a yes, only what is new since. */
  readonly question?: { readonly lines: readonly Phrase[]; readonly bullets?: readonly Phrase[] };
  /** That nothing was done with the instance since that was read which this goes by. */
  readonly asRead?: PastAsRead['asRead'];
  /** What a dry run answers; without it, one sentence made of the words. */
  readonly would?: Message;
}

/** How a person says yes. */
export type Confirm =
  | ({ readonly how: 'button' } & Pick<Button, 'label' | 'style'>)
  | {
      readonly how: 'typed';
      /** The button that opens the modal, and the modal's own. */
      readonly label: string;
      readonly title: string;
      readonly submit: string;
      /** The word to type: of the instance that was shown, and of the arguments. */
      word(shown: { readonly name: string }, args: Args): string;
      readonly field: (word: string) => string;
      readonly wrong: (word: string) => Phrase;
    };

/** An operation whose arguments were read. */
export type OperationWith<A extends Args> = Omit<Operation, 'args'> & { readonly args: A };

/** The words of a verb, as its sentences need them. */
export interface Words {
  /** How sentences say it, where what is typed isn't what is done: "cancel". */
  readonly verb?: string;
  /** How a button that offers it begins, before the name: "Cancel subscription of". */
  readonly offered?: string;
  /** "Renaming", at the beginning of a card. */
  readonly doing: string;
  /** "Renamed", at the beginning of an end. */
  readonly done: string;
  /** "being renamed", after "is"; without it, the first in lower case. */
  readonly isBeing?: string;
  /** "be deleted", after "will", where it can be canceled for a while. */
  readonly coming?: string;
  /** What is lost, as a sentence of the card while it can be canceled. */
  readonly loses?: Phrase;
  /** The button that calls it off, where it cancels something itself and "Cancel" would say either: "Keep it". */
  readonly keep?: string;
}

/** What a poll means for a change that was sent: by the common rule, or by one of the verb's own. */
type ChangeRule<A extends Args> =
  | {
      /** Whether the state is the one that was asked for. */
      isReached(observed: ObservedState, args: A): boolean;
      /** Whether the call is sent again where a poll shows that it was not done: where it names what it leads to. */
      readonly repeats: 'never' | 'if-unchanged';
    }
  | {
      judge(operation: OperationWith<A>, observed: ObservedState, now: number): Judgment;
      judgeRefused(
        operation: OperationWith<A>,
        observed: ObservedState | undefined,
        said: string | undefined,
      ): Omit<Outcome, 'at'> | 'under way';
    };

/**
 * A verb that changes something. All that is said here is what differs between verbs: the core looks up, asks, checks
 * again, locks, sends at most once, polls and words the rest. Methods are pure but for `read`, `check`, `prepare` and
 * `send`.
 */
export interface Declared<A extends Args> {
  /** The route's id and the kind of its operations. */
  readonly id: string;
  readonly verb: string;
  readonly spoken?: Spoken;
  readonly permission: Permission;
  /** The words after the verb, and what it does, for help. */
  readonly usage: string;
  readonly summary: string;
  /** A whole line without its noun: "restart web-1". */
  readonly example: string;
  readonly words: Words;

  /** Types the arguments; they are kept on the record as they are. */
  readonly args: z.ZodType<A>;
  /** The options that it takes beside --because and --dry-run, each with an example. */
  readonly options?: Readonly<Record<string, string>>;
  /** Without it, the last words are the arguments in the order of their schema, and the others name the instance. */
  read?(given: Given): ChangeRequest<A> | Promise<ChangeRequest<A>>;
  /** The words after the verb that ask for it, as `read` takes them; without it, the id of the instance alone. */
  typed?(instance: Pick<Instance, 'id'>, args: A): readonly string[];
  /** The part of the instance that it is about, where it is not about the whole: only one change at a time may be. */
  part?(args: A): string;
  /** Set where the last words may say until when: `read` gets them. */
  readonly takesEnd?: true;
  /** What turns it around later, where the arguments say when. */
  turnsBack?(args: A): { readonly verb: Power; readonly end: KeptEnd } | undefined;
  /** What follows the verb: "web-1 (101) to frontend". Without it, the instance. */
  object?(instance: Phrase, args: A): Phrase;
  /** What it is about in a sentence, where that is not its instance: "llm on web-1 (101)". */
  topic?(instance: Phrase, args: A): Phrase;

  /** Whether an instance is offered in the picker. */
  passes?(instance: Instance): boolean;
  /** Checks whether it is possible now. Throws a Refusal where it is not. */
  check?(at: ToCheck<A>): Promise<Checked>;
  readonly confirm?: Confirm;
  /** How long it can be canceled once it is confirmed. */
  readonly cancelWindowMs?: number;

  /** Set where several instances can be asked for at once. */
  readonly several?: {
    /**
     * Why an instance is left out of several, as what follows its name; undefined where it isn't. `shown`: set where somebody
     * says yes to what they were shown.
     */
    skip(instance: Instance, shown: ShownTo | undefined): Promise<Phrase | undefined>;
    /** Why one could not be turned around later, as what follows its name; undefined where it could. */
    whyNotBack?(instance: Instance, back: Back, ask: Ask): Promise<Phrase | undefined>;
    /** What it changes in costs, as far as the service's figures allow it and the person may know. */
    price?(instances: readonly Instance[], ask: Ask): Promise<readonly Phrase[]>;
    /** The button that undoes it for those with which it was done. */
    readonly opposite?: SeveralWords['opposite'];
    /** Set where it leads to no status of its own. */
    readonly leavesDone?: true;
  };

  /** The ids that stand in the path of its call; without it, that of the instance. */
  idsOf?(operation: OperationWith<A>): readonly string[];
  /** How its state is read afterwards. */
  readonly observer: Observer;
  /** Reads once more just before the call: what stands in its way. Throws HostingError. */
  prepare?(operation: OperationWith<A>): Promise<Omit<Outcome, 'at'> | undefined>;
  /** Asks the service, once. Throws HostingError. */
  send(operation: OperationWith<A>, options: WriteOptions): Promise<WriteAnswer>;
  readonly rule: ChangeRule<A>;

  /** The sentence of an end, where the common one does not say enough. */
  ending?(operation: OperationWith<A>, outcome: Outcome): Phrase | undefined;
  /** What can be done after an end that failed or is unknown; without it, the same once more. */
  nextSteps?(operation: OperationWith<A>, outcome: Outcome): readonly Button[];
}
