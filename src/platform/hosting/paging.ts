import { parseUrl } from '../http/parse-url.ts';
import type { Answer } from './answer.ts';
import type { PageRef } from './service.ts';

/** What an answer says of the list that it is a page of. */
export interface Paging {
  /**
   * The next page; `last`: it says that there is none; `unknown`: it says that there is one, but not where, or where it may
   * not be followed to; `silent`: it says nothing.
   */
  readonly next: PageRef | 'last' | 'unknown' | 'silent';
  /** How many the whole list has, where it says so. */
  readonly total?: number;
  /** Whether the page holds as many as a page of this service does, as far as that can be known. */
  readonly isFull: boolean;
}

/** Where a service is, so that its key goes nowhere else. */
export interface PageCursor {
  readonly origin: string;
  /** What all its paths begin with: `path`, which ends with the service's own `prefix`. */
  readonly below?: { readonly path: string; readonly prefix: string };
}

/** A page as it was asked for and answered. */
export interface AskedPage extends PageCursor {
  readonly here: PageRef;
  readonly answer: Answer;
  /** How many records it holds. */
  readonly count: number;
}

/**
 * A service that names the URL of the next page, or nothing on the last one. One that leads elsewhere is not followed: the
 * list then counts as incomplete.
 */
export function pagedByLink(page: AskedPage, link: unknown, total: unknown): Paging {
  return paged(isNothing(link) ? 'last' : followed(link, page), total);
}

/**
 * Where a link leads, which stands on the page `here`; `unknown` where that is not below the address of the service. A gateway
 * puts something in front of a service's paths that it knows nothing of: a path of its own is asked for below that.
 */
export function followed(
  link: unknown,
  { origin, here, below }: PageCursor & { readonly here: PageRef },
): PageRef | 'unknown' {
  const next = typeof link === 'string' ? parseUrl(link, new URL(here.path, origin).href) : undefined;
  // A path that begins with two slashes names a host once it is resolved again, and one that hides slashes or dots may lead up.
  if (next?.origin !== origin || next.pathname.startsWith('//') || /%(?:2f|5c|2e)/i.test(next.pathname))
    return 'unknown';
  const path = below ? pathBelow(below, next.pathname) : next.pathname;
  return path === undefined ? 'unknown' : { path: `${path}${next.search}` };
}

function pathBelow(
  { path: base, prefix }: NonNullable<PageCursor['below']>,
  path: string,
): string | undefined {
  const isIn = (start: string): boolean => path === start || path.startsWith(`${start}/`);
  if (isIn(base)) return path;
  return isIn(prefix) ? `${base.slice(0, base.length - prefix.length)}${path}` : undefined;
}

/**
 * A service that gives a cursor or the number of the next page, or nothing on the last one. `parameter` takes it: of the query, or of
 * the body where a page is asked for by POST.
 */
export function pagedByToken(
  { origin, here }: AskedPage,
  parameter: string,
  token: unknown,
  total: unknown,
): Paging {
  if (isNothing(token)) return paged('last', total);
  if (typeof token !== 'string' && typeof token !== 'number') return paged('unknown', total);
  const { path, body } = here;
  if (body === undefined) return paged(withQuery(new URL(path, origin), parameter, token), total);
  if (body instanceof URLSearchParams) {
    const next = new URLSearchParams(body);
    next.set(parameter, String(token));
    return paged({ path, body: next }, total);
  }
  return paged(isRecord(body) ? { path, body: { ...body, [parameter]: token } } : 'unknown', total);
}

/** The same page with one parameter set. */
export function withQuery(url: URL, name: string, value: string | number): PageRef {
  const next = new URL(url);
  next.searchParams.set(name, String(value));
  return { path: `${next.pathname}${next.search}` };
}

function isRecord(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

function isNothing(token: unknown): boolean {
  return token === undefined || token === null || token === '';
}

function paged(next: Paging['next'], total: unknown): Paging {
  const count = Number.isSafeInteger(total) && Number(total) >= 0 ? Number(total) : undefined;
  return { next, isFull: false, total: count };
}

/** A service that gives its whole list at once. */
export function onOnePage({ count }: Pick<AskedPage, 'count'>): Paging {
  return paged('last', count);
}
