import { type AtZero, type PausedFor, type Power, type Status, STATUSES } from '../service.ts';

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

type Json = Record<string, unknown>;

/** A plain JSON object, not an array or null. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a dotted path of own properties; '' is the value itself. */
export function at(value: unknown, path: string): unknown {
  if (path === '') return value;
  let here = value;
  for (const step of path.split('.')) {
    if (!isObject(here) || !Object.hasOwn(here, step)) return undefined;
    here = here[step];
  }
  return here;
}

/** The list in an answer's body, wherever the service's table lets it stand; undefined when there is none. */
export function listIn(table: ServiceTable, body: unknown): unknown[] | undefined {
  const found = table.listAt.map((path) => at(body, path));
  // An empty one may be written as null, in a place of its own.
  return found.find((one) => Array.isArray(one)) ?? (body !== null && found.includes(null) ? [] : undefined);
}

/** The one record in an answer's body. An object counts as a record only when it has an id. */
export function oneIn(table: ServiceTable, body: unknown): Json | undefined {
  for (const path of table.oneAt) {
    const found = at(body, path);
    const one: unknown = Array.isArray(found) && found.length === 1 ? found[0] : found;
    if (isObject(one) && Object.hasOwn(one, 'id')) return one;
  }
  return undefined;
}

/** A record with the service's field names turned into the documented ones; the same one where they are those. */
export function renamed(table: ServiceTable, record: unknown): unknown {
  if (!isObject(record)) return record;
  let result = record;
  for (const [field, names] of Object.entries(table.fields)) {
    const name = names.find((candidate) => Object.hasOwn(record, candidate) && record[candidate] !== null);
    if (name === undefined || name === field) continue;
    if (result === record) result = { ...record };
    result[field] = record[name];
  }
  return result;
}

/** A service's word for a status as one of the bot's: any case, `-`, `_` or space between words. */
export function statusOf(table: ServiceTable, word: string): Status | 'unknown' {
  const asWritten = (words: string): Status | undefined =>
    STATUSES.find((status) => table.statuses[status].includes(words));
  return asWritten(word) ?? asWritten(normal(word)) ?? 'unknown';
}

/** Whether one of these words is meant. */
export function isOneOf(words: readonly string[] = [], word = ''): boolean {
  return words.includes(normal(word));
}

function normal(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}
