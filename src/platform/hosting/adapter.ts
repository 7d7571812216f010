import type { Answer } from './answer.ts';
import type { Auth, Headers } from './auth.ts';
import type { Limit } from './budget.ts';
import type { HostingFault } from './hosting-error.ts';
import type { AskedPage, Paging } from './paging.ts';
import type { Bill, Charge, Spending } from './month.ts';
import type {
  Action,
  Addon,
  AskedOfPower,
  AtZero,
  Balance,
  BegunAction,
  Deletion,
  Forcible,
  Instance,
  IdentifiedAction,
  NoDeletion,
  PausedFor,
  Power,
  Transaction,
  Usage,
  WriteAnswer,
} from './service.ts';
import type { LeaveOut } from './unreadable.ts';

/**
 * One hosting service: what it is asked for each thing that the bot needs, and how its answers are read. What a service
 * doesn't do is left out; the bot then neither calls nor offers it. An adapter builds requests and reads answers; the
 * client sends them, waits for the rate limit, retries reads, follows pages and tells faults apart by their HTTP status.
 *
 * Paths are below `prefix`. An id is checked before it comes here: it is one plain segment of a path. Whatever is thrown
 * while an answer is read means that the answer can't be read.
 */
export interface Adapter {
  /** The version of `lamplighter/adapter` that it is written for; one outside of this repository needs it. */
  readonly version?: 1;
  /** How people call the service: "Hetzner Cloud". */
  readonly name: string;
  /** Where it is, unless the deployment names another address. */
  readonly origin?: string;
  /** What stands in front of each path: "/v1". */
  readonly prefix: string;
  /** How its calls show who asks; left out, the key stands after `Bearer` in `Authorization`. */
  readonly auth?: Auth;
  /** How often it may be asked with one key. */
  readonly limit: Limit;
  readonly instances: InstanceCalls;
  /** What a deletion does, or why the bot can delete nothing there. */
  readonly deletion: Deletion | NoDeletion;
  /** What is to be paid for an instance that is stopped, as a sentence; left out, the bot says nothing of it. */
  readonly stoppedCosts?: string;
  /** The page of an instance in the service's console, with `{id}` in it, where the deployment names no other. */
  readonly consoleUrl?: string;
  readonly addons?: AddonCalls;
  readonly billing?: BillingCalls;
  /** What an error in the service's own form means, where its HTTP status alone says too little. */
  readonly faultOf?: (answer: Answer) => HostingFault | undefined;
  /** Whether a body is an error in the service's own form; any of the forms that services have, where nothing is said. */
  readonly isError?: (body: unknown) => boolean;
  /** The sentence of an error, where it stands in no place in which services have it; undefined where there is none. */
  readonly sentenceOf?: (body: unknown) => string | undefined;
  /** What stands in the text of an answer that isn't JSON, like `readXml`. A text that it throws for is read as any other. */
  readonly readBody?: (text: string) => unknown;
  /**
   * How long (ms) after a call whose answer was lost, or was neither yes nor no, what it did may still come to light: an action
   * in the service's list, another status. Until then nothing that is missing proves anything.
   */
  readonly showsWithinMs: number;
}

/** A GET, or a POST that only reads, and what its answer says. */
export interface ServiceRead<T> {
  readonly path: string;
  /** The body of a POST, for a service that is asked so. The client repeats it as any read. */
  readonly post?: unknown;
  /** Besides those that every call has. */
  readonly headers?: Headers;
  /** `leaveOut`: hears of a field that can't be read. */
  readonly decode: (answer: Answer, leaveOut?: LeaveOut) => T;
}

/** A read of one page of a list. */
export interface ListRead<T> {
  /** Of the first page. */
  readonly path: string;
  /** The body of a POST of the first page. */
  readonly post?: unknown;
  /** Of each page, besides those that every call has. */
  readonly headers?: Headers;
  /** The records of a page, in its body; null where the service writes an empty list so, undefined where there is no list in it. */
  readonly items: (body: unknown) => readonly unknown[] | null | undefined;
  /** Throws Unreadable for a record that is left out. */
  readonly item: (record: unknown, leaveOut?: LeaveOut) => T;
  /** Where the list goes on, and how long it is. */
  readonly paging: (page: AskedPage) => Paging;
}

/** What is one list to whoever reads it. */
export type Lists<T> = ListRead<T> | readonly [ListRead<T>, ...ListRead<T>[]];

/** A request that changes something. The client sends it at most once. */
export interface Write<T> {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Besides those that every call has. */
  readonly headers?: Headers;
  /** Sent as JSON; as a form where it is URLSearchParams. */
  readonly body?: unknown;
  /** Reads the answer of a success. */
  readonly decode: (answer: Answer) => T;
}

interface InstanceCalls {
  /** What of the customer's machines the list doesn't have, as the beginning of a sentence: "Bare metal servers". */
  readonly leavesOut?: string;
  /** Several, where only together they have all: read one after the other, each with pages of its own, and joined by id. */
  readonly list: Lists<Instance>;
  readonly one: (id: string) => ServiceRead<Instance>;
  /** The gentle way, where there are two. */
  readonly power: (id: string, power: Power) => Write<WriteAnswer>;
  /** Without waiting for the system of the instance, where `power` waits for it: each of the two that the service has. */
  readonly force?: Readonly<Partial<Record<Forcible, (id: string) => Write<WriteAnswer>>>>;
  readonly remove?: (id: string) => Write<WriteAnswer>;
  /** What became of a write, where its answer names an action that can be asked for. */
  readonly action?: (actionId: string) => ServiceRead<Action>;
  /** The same of several at once, at most so many in a call. */
  readonly actions?: {
    readonly most: number;
    readonly of: (actionIds: readonly string[]) => ServiceRead<readonly IdentifiedAction[]>;
  };
  /**
   * What has been done for certain once its action has ended well. Not what only signals the system of the instance, which
   * may not follow.
   */
  readonly actionProves?: readonly AskedOfPower[];
  /** What was begun on an instance, where the service lists that: it shows what became of a write whose answer was lost. */
  readonly begun?: (id: string) => ServiceRead<BegunPage>;
}

/** One page of what was begun on an instance: the newest, as far as the service can be asked for those. */
interface BegunPage {
  readonly actions: readonly BegunAction[];
  /** Whether there are actions that this page doesn't have. */
  readonly hasMore: boolean;
  /** With `hasMore`: since when it certainly has all of this instance, by the service's clock, Unix ms. Left out: since the oldest of its actions, if the newest come first. */
  readonly reachesBackTo?: number;
}

interface AddonCalls {
  readonly list: ListRead<Addon>;
  readonly add?: (
    instanceId: string,
    addon: { readonly type: string; readonly tier?: string },
  ) => Write<Addon | undefined>;
  readonly remove?: (addonId: string) => Write<Addon | undefined>;
}

/** Paid before, with a balance that runs out, or afterwards: the bot never says one of the other. */
type BillingCalls = PrepaidCalls | PostpaidCalls;

interface PostpaidCalls {
  readonly kind: 'postpaid';
  /** What it bills in, as a code like USD, unless the deployment says otherwise of its account. */
  readonly currency: string;
  readonly spending: ServiceRead<Spending>;
  /** What this month is spent on so far, each thing by itself. */
  readonly charges?: ListRead<Charge>;
  /** Invoices and payments, in whichever order. */
  readonly bills?: ListRead<Bill>;
}

interface PrepaidCalls {
  readonly kind: 'prepaid';
  /** What it counts in, as people call it; "credits" where it is left out. */
  readonly unit?: string;
  readonly balance?: ServiceRead<Balance>;
  /** What the service does at zero; left out, the bot says nothing of it. */
  readonly atZero?: AtZero;
  /** Why an instance is paused that doesn't say so itself; `balance`: undefined where it can't be read. */
  readonly pausedFor?: (instance: Instance, balance: Balance | undefined) => PausedFor | undefined;
  readonly usage?: ServiceRead<Usage>;
  /** In whichever order; pages count from 1. Newest first, the bot needs fewer pages. */
  readonly transactions?: (page: number, perPage: number) => ListRead<Transaction>;
}
