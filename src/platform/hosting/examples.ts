import type { Headers, Session } from './auth.ts';
import type { HostingFault } from './hosting-error.ts';
import type { Bill, Charge, Spending } from './month.ts';
import type {
  Addon,
  Balance,
  BegunAction,
  Forcible,
  IdentifiedAction,
  Instance,
  Power,
  Transaction,
  Usage,
  WriteAnswer,
} from './service.ts';

/** One answer of a service, as its documentation shows it. */
export interface ExampleAnswer {
  /** 200 where nothing is said. */
  readonly status?: number;
  readonly headers?: Headers;
  /** JSON as a value; a text is sent as it is, and read by `readBody` where the adapter has that. Left out: an empty answer. */
  readonly body?: unknown;
}

/** Such an answer, and what the adapter must read in it: each field that is named, and none of the others. */
export interface Example<Meaning> extends ExampleAnswer {
  readonly means: Meaning;
}

/** The pages of a list in their order, each with what its records mean. */
export type Pages<Meaning> = readonly Example<readonly Meaning[]>[];

type Shown = Pick<Instance, 'id' | 'name' | 'status'> & Partial<Instance>;
/** One answer for each of several verbs, or the same for all of them. */
type Each<Verb extends string, Meaning> =
  | Example<Meaning>
  | Readonly<Partial<Record<Verb, Example<Meaning>>>>;

/** An answer that says no, and which no it is. */
export interface Refusal {
  readonly means: HostingFault;
  readonly answer: ExampleAnswer;
  /** The sentence of the service that people read. */
  readonly says?: string;
}

/**
 * What a service answers, beside its `adapter` in the same file: `adapter:check` plays the adapter against them where it has no
 * key. All of them are about the machine of `one`.
 */
export interface Examples {
  /** A key of the form that the service's have, made up; needed where `auth` takes only such. */
  readonly key?: string;
  /** Where the key is exchanged first. */
  readonly session?: Example<Partial<Session>>;
  /** Two pages at least, where the service pages. */
  readonly list: Pages<Shown>;
  /** The pages of each list after the first, where the adapter has several. */
  readonly otherLists?: readonly Pages<Shown>[];
  readonly one: Example<Shown>;
  readonly power: Each<Power, WriteAnswer>;
  readonly force?: Each<Forcible, WriteAnswer>;
  readonly remove?: Example<WriteAnswer>;
  /** The same action while it is under way, and at its end. */
  readonly action?: {
    readonly id: string;
    readonly running: ExampleAnswer;
    readonly done: ExampleAnswer;
    /** `says`: why it failed, where the service tells. */
    readonly failed?: ExampleAnswer & { readonly says?: string };
  };
  /** Of several actions in one call: those that it names. */
  readonly actions?: Example<readonly IdentifiedAction[]>;
  /** `hasMore`: whether that page says that there are others. */
  readonly begun?: Example<readonly Partial<BegunAction>[]> & { readonly hasMore?: boolean };
  readonly balance?: Example<Partial<Balance>>;
  readonly usage?: Example<Partial<Usage>>;
  readonly transactions?: Pages<Partial<Transaction>>;
  readonly spending?: Example<Partial<Spending>>;
  readonly charges?: Pages<Partial<Charge>>;
  readonly bills?: Pages<Partial<Bill>>;
  readonly addons?: {
    readonly list: Pages<Pick<Addon, 'id' | 'type'> & Partial<Addon>>;
    /** What is asked for, and its answer; `means` is empty where that has nothing in it. */
    readonly add?: Example<Partial<Addon>> & { readonly type: string; readonly tier?: string };
    /** Of the first of that list. */
    readonly remove?: Example<Partial<Addon>>;
  };
  /** One that means `not-found` and one that means `unauthorized` at least. */
  readonly refusals: readonly Refusal[];
}
