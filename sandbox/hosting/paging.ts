import type { Sliceable, WireRecord } from './outcome.ts';
import type { Paging, PagingStyle } from './variant.ts';

/** Where the list was asked for, to make the next link from. */
export interface Asked {
  readonly origin: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The Range header. */
  readonly range?: string;
}

/** One page of a list, and what tells the reader that there are more. */
export interface Page {
  readonly items: readonly WireRecord[];
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** 200 when left out. */
  readonly status?: number;
}

/** The contract's own paging: `page` and `per_page`, out of bounds taken as the nearest bound. */
export function contractPage(items: Sliceable<WireRecord>, query: URLSearchParams): Page {
  const size = wholeNumber(query.get('per_page'), 25, 100);
  const page = wholeNumber(query.get('page'), 1, Number.MAX_SAFE_INTEGER);
  const meta = { page, per_page: size, total: items.length, total_pages: Math.ceil(items.length / size) };
  return { items: cut(items, page, size), envelope: { meta }, headers: {} };
}

/** Where one page stands in its list. Pages count from 1; `next` is null on the last one. */
interface Place {
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly next: number | null;
  /** Where links lead. */
  readonly url: string;
}

/** One way of paging: which page is asked for, as text, and what is said of it. */
interface Style {
  readonly asks: (asked: Asked) => string | null | undefined;
  readonly says: (place: Place) => Partial<Omit<Page, 'items'>>;
}

/** What a service doesn't look at, it ignores. */
const STYLES: Readonly<Record<PagingStyle, Style>> = {
  pages: {
    asks: ({ query }) => query.get('page'),
    says: ({ page, pages, next }) => ({ envelope: { page, pages: Math.max(pages, next ?? 0) } }),
  },
  cursor: {
    asks: ({ query }) => query.get('cursor')?.replace('after-', ''),
    says: ({ next }) => ({ envelope: { meta: { next_cursor: next === null ? null : `after-${next}` } } }),
  },
  'link header': {
    asks: ({ query }) => query.get('page'),
    says: ({ next, url }) =>
      next === null
        ? {}
        : { headers: { Link: `<${url}?page=1>; rel=first, <${url}?page=${next}>; rel="next"` } },
  },
  'Next-Range': {
    asks: ({ range }) => /^page (\d+)$/.exec(range ?? '')?.[1],
    says: ({ next }) => (next === null ? {} : { status: 206, headers: { 'Next-Range': `page ${next}` } }),
  },
  // From here on nothing says how to go on.
  'total alone': unsaid(({ total }) => ({ envelope: { total } })),
  'has_more alone': unsaid(({ next }) => ({ envelope: { has_more: next !== null } })),
  silent: unsaid(() => ({})),
};

function unsaid(says: Style['says']): Style {
  return { asks: () => null, says };
}

/** A variant's paging of any list. */
export function variantPage(items: Sliceable<WireRecord>, paging: Paging, asked: Asked): Page {
  const { style, size, mischief } = paging;
  const { asks, says } = STYLES[style];
  const page = wholeNumber(asks(asked) ?? null, 1, Number.MAX_SAFE_INTEGER);
  const pages = Math.max(1, Math.ceil(items.length / size));
  const next = nextPage(page, pages, mischief);
  const origin = mischief === 'elsewhere' ? 'http://elsewhere.example.test' : asked.origin;
  const place = { page, pages, total: items.length, next, url: `${origin}${asked.path}` };
  return { items: cut(items, page, size), envelope: {}, headers: {}, ...says(place) };
}

function nextPage(page: number, pages: number, mischief: Paging['mischief']): number | null {
  if (page < pages || mischief === 'endless') return page + 1;
  return mischief === 'repeats' ? page : null;
}

function cut(items: Sliceable<WireRecord>, page: number, size: number): readonly WireRecord[] {
  return items.slice((page - 1) * size, page * size);
}

function wholeNumber(text: string | null, otherwise: number, largest: number): number {
  if (text === null || !/^\d+$/.test(text)) return otherwise;
  return Math.min(Math.max(Number(text), 1), largest);
}
