import { parseUrl } from '../http/parse-url.ts';
import type { Answer } from './answer.ts';
import type { PageRef } from './service.ts';

/** What an answer says of the list that it is a page of. */
export interface Paging {
  /**
   * The next page; `last`: it says that there is none; `lost`: it says that there is one, but not where, or where it may
   * not be followed to; `silent`: it says nothing.
   */
  readonly next: PageRef | 'last' | 'lost' | 'silent';
  /** How many the whole list has, where it says so. */
  readonly total?: number;
  /** Whether the page holds as many as a page of this service does, as far as that can be known. */
  readonly isFull: boolean;
}

/** A page as it was asked for and answered. */
export interface AskedPage {
  readonly origin: string;
  readonly here: PageRef;
  readonly answer: Answer;
  /** How many records it holds. */
  readonly count: number;
}

/**
 * A service that names the URL of the next page, or nothing on the last one. A URL of another origin is not followed: the
 * list then counts as incomplete.
 */
export function pagedByLink({ origin, here }: AskedPage, link: unknown, total: unknown): Paging {
  if (isNothing(link)) return paged('last', total);
  const next = typeof link === 'string' ? parseUrl(link, new URL(here.path, origin).href) : undefined;
  // A path that begins with two slashes names a host once it is resolved again.
  const isOurs = next?.origin === origin && !next.pathname.startsWith('//');
  return paged(isOurs ? { path: `${next.pathname}${next.search}` } : 'lost', total);
}

/** A service that gives a cursor or the number of the next page, which `parameter` takes, or nothing on the last one. */
export function pagedByToken(
  { origin, here }: AskedPage,
  parameter: string,
  token: unknown,
  total: unknown,
): Paging {
  if (isNothing(token)) return paged('last', total);
  if (typeof token !== 'string' && typeof token !== 'number') return paged('lost', total);
  return paged(withQuery(new URL(here.path, origin), parameter, token), total);
}

/** The same page with one parameter set. */
export function withQuery(url: URL, name: string, value: string | number): PageRef {
  const next = new URL(url);
  next.searchParams.set(name, String(value));
  return { path: `${next.pathname}${next.search}` };
}

function isNothing(token: unknown): boolean {
  return token === undefined || token === null || token === '';
}

function paged(next: Paging['next'], total: unknown): Paging {
  const count = Number.isSafeInteger(total) && Number(total) >= 0 ? Number(total) : undefined;
  return { next, isFull: false, ...(count === undefined ? {} : { total: count }) };
}
