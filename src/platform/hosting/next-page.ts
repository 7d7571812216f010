import { parseUrl } from '../http/parse-url.ts';
import type { HostingAdapter } from './adapters/instance-hosting.ts';
import { nextInLink } from './link-header.ts';
import { at, isObject } from './read.ts';
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

export interface PageAnswer {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

type Word = string | number;
/** What a header field may hold, so that nothing else is ever sent back as one. */
const FIELD_VALUE = /^[\x20-\x7e]{1,500}$/;

/**
 * Where the list of an answer goes on, which was asked for as `here` and holds `count` items. Whichever way of paging is
 * present is followed, if the table tells how; a link to another origin is not. Pure.
 */
export function readPaging(
  adapter: HostingAdapter,
  origin: string,
  here: PageRef,
  answer: PageAnswer,
  count: number,
): Paging {
  const { paging } = adapter;
  const places = paging.places.map((place) => at(answer.body, place)).filter(isObject);
  const all = (names: readonly string[]): unknown[] =>
    places.flatMap((place) => names.map((name) => at(place, name)));
  const header = (names: readonly string[]): string | undefined =>
    names.map((name) => answer.headers[name]).find((value) => value !== undefined && value !== '');
  const word = (names: readonly string[]): Word | undefined => all(names).find(isWord);
  const number = (names: readonly string[], headers: readonly string[] = []): number | undefined =>
    [...all(names), header(headers)].map(wholeNumber).find((value) => value !== undefined);

  const url = new URL(here.path, origin);
  const range = rangeOf(answer.headers['content-range']);
  const pageCount = number(paging.totalOrPage);
  const total =
    number(paging.total, paging.headers.total) ??
    range?.total ??
    (pageCount !== undefined && pageCount > count ? pageCount : undefined);
  const size = number(paging.size, paging.headers.size);
  const wanted = wholeNumber(url.searchParams.get('per_page') ?? undefined) ?? Number.POSITIVE_INFINITY;
  // Services have a most of their own, whatever size was asked for.
  const isCommon = count >= wanted || paging.commonSizes.includes(count);
  const isFull = count > 0 && (size === undefined ? isCommon : count >= size);
  const asked = wholeNumber(url.searchParams.get('page') ?? undefined);
  const current = number(paging.page, paging.headers.page) ?? asked ?? 1;
  const last = number(paging.lastPage, paging.headers.lastPage);

  const said = {
    ...(total === undefined ? {} : { total }),
    isFull,
  };
  return { ...said, next: nextOf() };

  function withQuery(name: string, value: Word): PageRef {
    const next = new URL(url);
    next.searchParams.set(name, String(value));
    return { path: `${next.pathname}${next.search}` };
  }

  function nextOf(): Paging['next'] {
    const more = all(paging.hasMore).find((value) => value !== undefined && value !== null);
    if (more === false || more === 'false') return 'last';
    const named = token() ?? link() ?? byRange() ?? byNumber();
    if (named !== undefined) return named;
    if (more === true || more === 'true') return 'lost';
    // Part of a list, at the first request for it.
    if (answer.status === 206 && here.range === undefined) return 'lost';
    return saysLast() ? 'last' : 'silent';
  }

  function token(): PageRef | undefined {
    for (const [parameter, names] of Object.entries(paging.tokens)) {
      const value = word(names);
      if (value !== undefined) return withQuery(parameter, value);
    }
    const value = header(paging.headers.token);
    return value === undefined ? undefined : withQuery(paging.linkToken, value);
  }

  function link(): PageRef | 'lost' | undefined {
    const named = word(paging.link);
    const value = named ?? nextInLink(answer.headers['link']);
    if (value === undefined) return undefined;
    if (named !== undefined && wholeNumber(named) === current + 1) return withQuery('page', named);
    if (named !== undefined && !isLink(named, url)) return withQuery(paging.linkToken, named);
    const next = parseUrl(String(value), url.href);
    // A path that begins with two slashes names a host once it is resolved again.
    const isOurs = next?.origin === url.origin && !next.pathname.startsWith('//');
    return isOurs ? { path: `${next.pathname}${next.search}` } : 'lost';
  }

  function byRange(): PageRef | 'lost' | undefined {
    const named = answer.headers['next-range'];
    if (named !== undefined && named !== '')
      return FIELD_VALUE.test(named) ? { path: here.path, range: named } : 'lost';
    if (!range || range.total === undefined || range.last + 1 >= range.total) return undefined;
    const from = range.last + 1;
    const unit = range.unit === '' ? '' : `${range.unit}=`;
    return { path: here.path, range: `${unit}${from}-${from + (range.last - range.first)}` };
  }

  function byNumber(): PageRef | undefined {
    const page = word(paging.nextPage) ?? header(paging.headers.nextPage);
    if (page !== undefined) return withQuery('page', page);
    if (last !== undefined && current < last) return withQuery('page', current + 1);
    if (total === undefined || count === 0) return undefined;
    for (const name of paging.offset) {
      const offset = number([name]);
      if (offset !== undefined && offset + count < total) return withQuery(name, offset + count);
    }
    return undefined;
  }

  /** Whether it uses one of the ways to name a next page, and names none. */
  function saysLast(): boolean {
    const ways = [...Object.values(paging.tokens).flat(), ...paging.link, ...paging.nextPage];
    return (
      last !== undefined ||
      answer.headers['link'] !== undefined ||
      range?.total !== undefined ||
      all(ways).some((value) => value === null || value === '')
    );
  }
}

function isWord(value: unknown): value is Word {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function wholeNumber(value: unknown): number | undefined {
  const isDigits = typeof value === 'string' && /^\d{1,15}$/.test(value);
  const result = isDigits ? Number(value) : value;
  return typeof result === 'number' && Number.isSafeInteger(result) && result >= 0 ? result : undefined;
}

/** Whether a text is meant as a URL, and not as a token that only looks like a path. */
function isLink(value: Word, here: URL): boolean {
  const text = String(value);
  const [, first = ''] = here.pathname.split('/');
  return (
    /^[a-z][a-z0-9+.-]*:/i.test(text) ||
    /^[/\\]{2}/.test(text) ||
    text.includes('?') ||
    text.startsWith(`/${first}/`)
  );
}

/** `items 0-24/60`, `0-24/*`: a part of the list and how long that is. */
function rangeOf(
  header: string | undefined,
): { unit: string; first: number; last: number; total: number | undefined } | undefined {
  const [, unit = '', first, last, total] =
    /^(?:([a-z]{1,20})[ =])?(\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || unit.toLowerCase() === 'bytes') return undefined;
  return { unit, first: Number(first), last: Number(last), total: wholeNumber(total) };
}
