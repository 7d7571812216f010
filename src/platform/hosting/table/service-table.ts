import type { AtZero, PausedFor, Power, Status } from '../service.ts';

/** A service whose answers may have any of several shapes, as data: paths, and the names under which things may travel. */
export interface ServiceTable {
  /** Below the prefix; `:id` is one percent-encoded segment. */
  readonly endpoints: Readonly<Record<EndpointName, string>>;
  /** Where a list, and where one record, may stand; '' is the body itself. First match wins. */
  readonly listAt: readonly string[];
  readonly oneAt: readonly string[];
  /** Where an action object may stand, the names for what it does, and those for what it is about. */
  readonly actionAt: Readonly<Record<'places' | 'names' | 'subject', readonly string[]>>;
  readonly paging: PagingNames;
  /** Our field name to the names it may travel under. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly statuses: Readonly<Record<Status, readonly string[]>>;
  /** The words of `paused` that say why. */
  readonly pausedFor: Readonly<Partial<Record<PausedFor, readonly string[]>>>;
  /** What the service does once nothing is left. */
  readonly atZero: AtZero;
  /** How an instance is called that is paid from day to day. One that doesn't say how it is paid is, too. */
  readonly paidByDay: readonly string[];
}

/** How a service may say where its lists go on: a name counts in each of the places, a header anywhere. */
interface PagingNames {
  /** Dotted paths of objects; '' is the body itself. */
  readonly places: readonly string[];
  /** The parameter that takes a token of the next page, by the names that the token may have. */
  readonly tokens: Readonly<Record<string, readonly string[]>>;
  /** A URL, a token for `linkToken`, or the number of the next page. */
  readonly link: readonly string[];
  readonly linkToken: string;
  readonly nextPage: readonly string[];
  readonly page: readonly string[];
  readonly lastPage: readonly string[];
  /** Where the page begins in the list, each also the parameter that asks for another beginning. */
  readonly offset: readonly string[];
  readonly hasMore: readonly string[];
  readonly total: readonly string[];
  /** The whole list's number at some services, the page's own at others. */
  readonly totalOrPage: readonly string[];
  /** How many a page holds at most. */
  readonly size: readonly string[];
  /** Sizes of pages that are common: a list of exactly so many may be one. */
  readonly commonSizes: readonly number[];
  readonly headers: Readonly<
    Record<'token' | 'nextPage' | 'page' | 'lastPage' | 'total' | 'size', readonly string[]>
  >;
}

export type EndpointName =
  | 'listInstances'
  | 'getInstance'
  | 'deleteInstance'
  | Power
  | 'getBalance'
  | 'getUsage'
  | 'listTransactions'
  | 'listAddons'
  | 'addAddon'
  | 'removeAddon';
