import type { DeadLetterHandlers, PostGuards } from '../outbox/send-posts.ts';
import type { Job } from '../records/job.ts';
import type { Tool } from '../agents/tool.ts';

/**
 * What a feature is: routes that people reach by typing or pressing, and kinds of operation.
 *
 * Glossary: **instance** what a customer rents · **power action** start, stop, restart · **request** what a person
 * asked for, written down · **operation** one piece of work begun by a request · **card** its one message ·
 * **job** one entry in the queue · **actor** the person who acts · **refusal** a no the person can act on ·
 * **fault** something broke · **offer** what people can press, pick or confirm · **button token** what a button stands for ·
 * **confirmation** what one person was shown and may say yes to, once · **cancel window** the time in which what was confirmed can be canceled · **drain** stop taking work,
 * finish what runs, exit.
 */
import type { Ask, Reply } from '../ask/ask.ts';
import type { RouteTool } from '../agents/tool.ts';
import type { Entry } from '../audit/entry.ts';
import type { PolicyTarget } from '../policy/pattern.ts';
import type { Spoken } from '../sentences/phrasebook.ts';
import type { AccessRule } from '../policy/decide.ts';
import type { Permission } from '../policy/permissions.ts';
import type { Choice, Message } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import type { Prompt } from '../../platform/slack/surfaces.ts';
import { oneOf } from '../ask/mend-words.ts';
import { Refusal } from '../refusal.ts';

/**
 * Adds to what the audit keeps of an attempt. `recorded`: it has its entry already, written with the change itself, and
 * gets no other. `begun`: the same, and the request is an operation now, and no request any more.
 */
export type AuditAttempt = (more: Partial<Entry> | 'recorded' | 'begun') => void;

/** What help explains below a verb: a word that may follow it, or what such words mean. */
export interface Topic {
  /** What it is asked for by; each is one lower-case word. */
  readonly words: readonly string[];
  /** The words after the verb, as an example. */
  readonly usage: string;
  readonly summary: string;
}

/** How people find a route in Slack's menus: the name that stands there, and what it is for. */
interface Shortcut {
  /** In the menu of a message, or in Slack's own menus. */
  readonly on: 'message' | 'global';
  readonly name: string;
  readonly description: string;
}

/**
 * What the bot itself leads people to: the Home that Slack opens, what is going on for whoever says nothing or only hello, help in
 * place of a verb, what to say in the bot's own conversation, the answer to what came too late, asking those who can give a right for it,
 * how the bot is set up, canceling in a word, ending the freeze that is in the way,
 * and the story of a reference.
 */
export type Service =
  | 'home'
  | 'now'
  | 'suggest'
  | 'help'
  | 'late'
  | 'ask-for-right'
  | 'examine'
  | 'cancel'
  | 'thaw'
  | 'story';

/** Who looks for a choice, when, and what the picker was shown with. */
export interface PickedAt extends Pick<Ask, 'actor' | 'askedAt'> {
  readonly channelId: string | undefined;
  readonly keeps: string | undefined;
}

type MaybeLater<What> = What | Promise<What>;

/** The part of a route that words are shown by. */
export type Shown = Pick<Route, 'verb' | 'namesPeople' | 'namesChannels' | 'label'>;

/** One thing a person can type or press. Its id is the button's action id, the operation's kind and the log's verb. */
export interface Route {
  readonly id: string;
  readonly verb: string;
  readonly aliases?: readonly string[];
  /** How people ask for it in a sentence. */
  readonly spoken?: Spoken;
  readonly topics?: readonly Topic[];
  /** What the person needs; undefined where anybody may, or the handler judges. */
  readonly permission: Permission | undefined;
  /** What the person needs for words that change something, where showing something needs less. */
  readonly writePermission?: Permission;
  /**
   * A write is written down before it is acknowledged, and its words are read strictly. A function says it of these words,
   * where the route only shows something without any.
   */
  readonly writes: boolean | ((words: readonly string[]) => boolean);
  /** Whether a read is written down as well, for these words: what takes long or sends something outlives its process. */
  isWrittenDown?(words: readonly string[]): boolean;
  /** Set where it can be used as a shortcut; its id is the shortcut's callback id. */
  readonly shortcut?: Shortcut;
  /** Set where the bot itself leads people here; at most one route for each. */
  readonly serves?: Service;
  /** Set where its words name people, who are shown by their names where it is said what was asked. */
  readonly namesPeople?: true;
  /** The same of channels alone. */
  readonly namesChannels?: true;
  /** Set where its words name instances: "this" is one of them in the thread of a card. */
  readonly namesInstances?: true;
  /**
   * Of words that change something for a whole account: whether an account's plain name behind these means that account. Without it,
   * or where it gives false, such a name is a word like others: a part of a reason, the name of a channel.
   */
  mayNameAccount?(before: readonly string[]): boolean;
  /** For help: the words after the verb, and what it does. Without a usage the route is for buttons alone. */
  readonly usage?: string;
  /** With an empty usage: what to ask in place of words that follow it all the same, as a sentence. */
  readonly instead?: Phrase;
  readonly summary: string;
  /**
   * How a button for these words reads, in plain text; without it, its verb and the words say it. `named`: an instance by its
   * name, any other word as it is. Undefined, or a Refusal that is thrown, where these words have no better label.
   */
  label?(words: readonly string[], named: (word: string) => string): MaybeLater<string | undefined>;
  /**
   * `by`: what allows it. Where that is for once, what only shows something uses it up by its answer, and what writes uses it up in
   * its commit: what two who ask at once must not both do, and what was not done may be tried again.
   */
  handle(ask: Ask, audit: AuditAttempt, by?: AccessRule): Promise<Reply>;
  /** How agents call it, where they may: it only reads. */
  readonly tool?: RouteTool;
  /** The channel in which its right counts, where that isn't the one where it was pressed: it was told to somebody alone. */
  askedIn?(ask: Ask): Promise<string | undefined>;
  /**
   * What an earlier run of the same request did, which was cut off or still goes on: what to say of it. `nothing`: certainly nothing,
   * which only a route can say whose effect is written together with the end of its request. Undefined, and without this: nobody can tell.
   */
  came?(ask: Ask): Promise<Message | 'nothing' | undefined>;
  /**
   * Whether what was refused for want of a right says what it is about, so that it can be asked for; without it, it does.
   * False where no words could: it is about several, or takes a role that lasts.
   */
  readonly isAskable?: false | ((ask: Ask) => Promise<boolean>);
  /** Set where to be allowed it once is worth nothing: what it begins asks for the same right again, later or as something else. */
  readonly outlastsOnce?: true;
  /** Before a button for these words is offered: throws a Refusal where the words would be refused whatever they name. Changes nothing. */
  mayOffer?(ask: Ask): Promise<void>;
  /** Before a button for these words is offered to who may press it: why there is nothing to do now, in the words of its handler. */
  idle?(ask: Ask): Promise<Phrase | undefined>;
  /** Set where its modal is a form of several fields. */
  readonly hasForm?: true;
  /** While the route's modal stands open: what is wrong with what was typed, shown under its field. Changes nothing. */
  check?(ask: Ask): Promise<Phrase | undefined>;
  /** What whoever opens the bot's own conversation may want to say of it now; undefined where there is nothing. */
  suggests?(ask: Ask): Promise<Prompt | undefined>;
  /** Choices of this route's picker for what has been typed so far: instances that `mayPick` lets through. */
  choices?(
    typed: string,
    mayPick: (target: PolicyTarget) => boolean,
    at: PickedAt,
  ): Promise<readonly Choice[]>;
}

/** What a person needs for these words of a route; undefined where everybody may. */
export function permissionFor(
  route: Pick<Route, 'permission' | 'writePermission' | 'writes'>,
  words: readonly string[],
): Permission | undefined {
  return isWrite(route, words) ? (route.writePermission ?? route.permission) : route.permission;
}

/** Whether what was asked of a route in these words changes anything. */
export function isWrite({ writes }: Pick<Route, 'writes'>, words: readonly string[]): boolean {
  return typeof writes === 'function' ? writes(words) : writes;
}

/** Whether an ask stands in Redis before it is acknowledged, and is answered by whichever process is alive. */
export function isWrittenDown(route: Route, words: readonly string[]): boolean {
  return isWrite(route, words) || (route.isWrittenDown?.(words) ?? false);
}

/** Throws a Refusal for words after a route that takes none: dropped, they would make the answer one to another question. */
export function refuseWordsAfter(
  { usage, verb, instead = say`${verb} takes no words.` }: Pick<Route, 'usage' | 'verb' | 'instead'>,
  words: readonly string[],
): void {
  if (usage !== '' || words.length === 0) return;
  throw new Refusal('bad-option', say`I don't know "${words.join(' ')}" here. ${instead}`, oneOf([]));
}

/** One noun of the bot, in the order in which help shows it. */
export interface Feature {
  readonly noun: string;
  /** What the noun's command without words does. */
  readonly default: string;
  /** The route that words without a verb go to: `/instances web-1`, `/instances status:running`. */
  readonly verbless?: (words: readonly string[]) => string;
  readonly summary: string;
  readonly routes: readonly Route[];
  /** What agents can call. */
  readonly tools?: readonly Tool[];
}

/** What a feature does without being asked. */
export interface Background {
  readonly jobs?: readonly Job[];
  /** What must hold right before its messages go out. */
  readonly guards?: PostGuards;
  /** What it does where one of them reached nobody. */
  readonly deadLetters?: DeadLetterHandlers;
}
