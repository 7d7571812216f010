import type { AboutService, Action, Begun, Forcible, Power } from './about-service.ts';
import type { WriteQueue } from './budget.ts';
import type { Incomplete, Instance, Status } from './instance.ts';
import type { Bill, Charge, Spending } from './month.ts';
import type { ReadPriority } from './shared-read.ts';

export type { AboutService, AtZero, Deletion, NoDeletion } from './about-service.ts';
export { STATUSES } from './instance.ts';
export { FORCIBLE, POWERS } from './about-service.ts';
export type {
  Action,
  AskedOfPower,
  Begun,
  BegunAction,
  Forcible,
  IdentifiedAction,
  Power,
} from './about-service.ts';
export type { Incomplete, Instance, PausedFor, Price, Status } from './instance.ts';

/** What the bot needs of a hosting API. Another service is another adapter file behind this. */
export interface HostingService extends HostingReads, HostingWrites {
  readonly about: AboutService;
  /** The queue for the budget, of writes. */
  readonly writeQueue: WriteQueue;
  close(): Promise<void>;
}

export interface HostingReads {
  /** Every instance of the customer, as far as the list could be read. */
  listInstances(options?: ListOptions): Promise<InstanceList>;
  /** The list as it was read last, by whichever process and however long ago: for when the service is down. Asks nobody. */
  findLastList(): Promise<LastList | undefined>;
  /** How many calls a reading of that list takes, as far as is known. */
  countListPages(): Promise<number>;
  /** How far apart (ms) readings of that list are that only show it, so that calls are left for what people do. */
  listEveryMs(): Promise<number>;
  /** Asks for the first page of that list that has instances, which says whether the key is taken, and gives it. Throws HostingError. */
  checkKey(): Promise<readonly Instance[]>;
  /** Instances that the key has shown: the list as it was read last, or else the page of that check. Undefined for neither; asks nobody. */
  findShown(): Promise<readonly Instance[] | undefined>;
  /**
   * One instance, or undefined when there is none of this id that we may see. People who only look share a reading of about
   * the last second; whoever else reads it gets one that ends after their question.
   */
  findInstance(instanceId: string, options?: Pick<ReadOptions, 'priority'>): Promise<Instance | undefined>;
  /** What became of an accepted write, by what its answer named; undefined where the service knows nothing of it any more. */
  findAction(actionId: string, options?: Pick<ReadOptions, 'priority'>): Promise<Action | undefined>;
  /**
   * The same of several, in as few calls as the service allows. Nothing is asked for until the first of them is wanted,
   * and each fails alone with the call that it was part of.
   */
  findActions(
    actionIds: readonly string[],
    options?: Pick<ReadOptions, 'priority'>,
  ): (actionId: string) => Promise<Action | undefined>;
  /** What was begun on an instance; undefined where the service doesn't list that, or has no such instance. */
  listBegun(instanceId: string, options?: Pick<ReadOptions, 'priority'>): Promise<Begun | undefined>;
  /** The balance, or undefined where the service has no balance endpoint (404, 405 or 501 from the start). */
  getBalance(options?: ReadOptions): Promise<Balance | undefined>;
  /** What is to be paid afterwards. Throws HostingError, with status 404 where the service is not paid so. */
  getSpending(options?: ReadOptions): Promise<Spending>;
  getUsage(options?: ReadOptions): Promise<Usage>;
  /** What this month is spent on, where it is paid afterwards. Throws HostingError, with status 404 where the service doesn't say. */
  listCharges(options?: ReadOptions): Promise<ChargeList>;
  /** Invoices and payments, where it is paid afterwards. Throws like listCharges. */
  listBills(options?: ReadOptions): Promise<BillList>;
  /**
   * One page of transactions; pages count from 1. Newest first where it is the only one and its times can be read; else in the
   * order of the service, of which nothing is known. `at`: where the page before said that it goes on,
   * which is needed where the service doesn't count pages.
   */
  listTransactions(
    page: number,
    perPage: number,
    options?: Pick<ReadOptions, 'priority'> & { at?: PageRef | undefined },
  ): Promise<TransactionPage>;
  /**
   * Every add-on as far as the list could be read, or undefined where the service has no add-on endpoint (404). Without
   * options it is read now, by a call of its own.
   */
  listAddons(options?: ReadOptions): Promise<AddonPage | undefined>;
}

export interface HostingWrites {
  /** Asks for a power action, once, never repeated here. `beforeSend` runs last before the request leaves. */
  powerInstance(instanceId: string, power: Power, options?: WriteOptions): Promise<WriteAnswer>;
  /** The same without waiting for the system of an instance. */
  forceInstance(instanceId: string, power: Forcible, options?: WriteOptions): Promise<WriteAnswer>;
  deleteInstance(instanceId: string, options?: WriteOptions): Promise<WriteAnswer>;
  addAddon(
    instanceId: string,
    addon: { type: string; tier?: string },
    options?: WriteOptions,
  ): Promise<Addon | undefined>;
  removeAddon(addonId: string, options?: WriteOptions): Promise<Addon | undefined>;
}

/** One page of a list: a path and query, and a Range header or a body where the service pages by that. */
export interface PageRef {
  readonly path: string;
  /** It is asked for by POST. */
  readonly body?: unknown;
  readonly range?: string;
}

export interface ReadOptions {
  /**
   * An answer that old (ms) is good enough; 0: ask, or join a call under way. Left out: what everybody shares, about a
   * second. A list that is too long to be read for each question may be older all the same, and says so.
   */
  readonly freshMs?: number;
  /** Who waits for it: a person, where nothing is said. */
  readonly priority?: ReadPriority;
}

export interface ListOptions extends ReadOptions {
  /** It is read now, however long it is. */
  readonly isNew?: boolean;
  /** An answer from before a change will do, where only names and ids are wanted of it. */
  readonly isAcrossWrites?: boolean;
}

/** One call, without what was filled in. */
export interface SentCall {
  readonly method: string;
  /** Its path with `{id}` for what it is about, and no query. */
  readonly route?: string;
}

export interface WriteOptions {
  /** Writes down that the request is about to leave. A throw here means that it never left. */
  beforeSend?: (call: SentCall) => Promise<void>;
  /** Hears how it was answered, if it left: an HTTP status, or why there was none. */
  answered?: (result: string) => void;
  /** Its call has been taken from the budget already. */
  isCounted?: boolean;
}

export interface InstanceList {
  readonly instances: readonly Instance[];
  readonly incomplete?: Incomplete;
  /** What of the customer's machines it never has, as the beginning of a sentence: "Bare metal servers". */
  readonly leavesOut?: string;
  /** How many calls it took to read. */
  readonly pages?: number;
  /** Set where it was read a while ago, because it is too long to be read for each question: Redis' time, Unix ms. */
  readonly readAtMs?: number;
}

/** A list as it was read last, and when: Redis' time, Unix ms. */
export type LastList = InstanceList & { readonly readAtMs: number };

/** What an accepted write says of its subject. Undefined where the answer carried no record of it. */
export interface WriteAnswer {
  readonly status?: Status | 'unknown';
  /** What the service calls what it does now, where it can be asked for that: `findAction`. */
  readonly actionId?: string;
}

/** Amounts are decimal strings of credits, never floats. */
export interface Balance {
  readonly credits: string;
  readonly dailyCostCredits?: string;
}

export interface ChargeList {
  readonly charges: readonly Charge[];
  readonly incomplete?: Incomplete;
}

export interface BillList {
  readonly bills: readonly Bill[];
  /** Whether the newest come first; else they come in the order of the service, of which nothing is known. */
  readonly isNewestFirst: boolean;
  readonly incomplete?: Incomplete;
}

export interface Usage {
  readonly dailyTotalCredits?: string;
  readonly instances: readonly { id?: string; name?: string; dailyCredits?: string; status?: string }[];
  readonly addons: readonly Partial<Addon>[];
}

export interface Addon {
  readonly id: string;
  readonly type: string;
  readonly instanceId?: string;
  readonly instanceName?: string;
  readonly tier?: string;
  readonly status?: string;
  readonly used?: number;
  readonly limit?: number;
  readonly dailyCredits?: string;
}

/** One movement of credits, as far as it can be read; what can't be is empty. */
export interface Transaction {
  readonly id: string;
  readonly type: string;
  /** Undefined where no amount can be read for certain; then it is in no sum. */
  readonly amountCredits?: string;
  readonly balanceAfterCredits?: string;
  readonly description?: string;
  readonly instanceId?: string;
  readonly createdAt: string;
}

export interface AddonPage {
  readonly addons: readonly Addon[];
  readonly incomplete?: Incomplete;
}

export interface TransactionPage {
  readonly transactions: readonly Transaction[];
  /** Whether there may be another page: the service says so, or this one is full and nothing says that it is the last. */
  readonly hasMore: boolean;
  /** Where that is, for `at`. */
  readonly next?: PageRef;
  /** How many transactions there are in all, where the service says so. */
  readonly total?: number;
}
