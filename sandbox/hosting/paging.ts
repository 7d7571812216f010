import type { Sliceable, WireRecord } from './outcome.ts';
import { type Asked, cloudStyles, countsItems } from './cloud-paging.ts';
import type { CloudPagingStyle, Paging, PagingStyle } from './variant.ts';

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

/** A variant's paging of any list. Cursors hold the number of the page they lead to. */
export function variantPage(items: Sliceable<WireRecord>, paging: Paging, asked: Asked): Page {
  const { style, size, mischief } = paging;
  if (isCloudStyle(style)) return cloudPage(items, style, size, asked);
  const token = asked.query.get('cursor')?.replace('after-', '') ?? asked.query.get('page');
  const page = wholeNumber(token, 1, Number.MAX_SAFE_INTEGER);
  const pages = Math.max(1, Math.ceil(items.length / size));
  const next = nextPage(page, pages, mischief);
  const origin = mischief === 'elsewhere' ? 'http://elsewhere.example.test' : asked.origin;
  const link = next === null ? null : `${origin}${asked.path}?page=${next}`;
  const cursor = next === null ? null : `after-${next}`;
  const claimed = next === null ? pages : Math.max(pages, next);

  const envelopes: Readonly<Record<PagingStyle, Readonly<Record<string, unknown>>>> = {
    cursor: { meta: { next_cursor: cursor } },
    'meta.links.next': { meta: { links: { next: link } } },
    next_page: { meta: { pagination: { page, next_page: next } } },
    total_pages: { meta: { page, total_pages: claimed } },
    pages: { meta: { page, pages: claimed } },
    last_page: { meta: { current_page: page, page, last_page: claimed } },
    'links.next': { links: { next: link } },
    'links.pages.next': { links: { pages: { next: link } } },
    'link header': {},
  };
  return {
    items: cut(items, page, size),
    envelope: envelopes[style],
    headers: style === 'link header' && link !== null ? { Link: `<${link}>; rel="next"` } : {},
  };
}

function isCloudStyle(style: Paging['style']): style is CloudPagingStyle {
  return Object.hasOwn(cloudStyles, style);
}

function cloudPage(items: Sliceable<WireRecord>, style: CloudPagingStyle, size: number, asked: Asked): Page {
  const { asks, says } = cloudStyles[style];
  const wanted = asks(asked);
  const page = countsItems(style)
    ? Math.floor(Number(wanted ?? 0) / size) + 1
    : wholeNumber(wanted, 1, Number.MAX_SAFE_INTEGER);
  const pages = Math.max(1, Math.ceil(items.length / size));
  const cutOut = cut(items, page, size);
  const place = { page, pages, size, first: (page - 1) * size, count: cutOut.length, total: items.length };
  return {
    items: cutOut,
    envelope: {},
    headers: {},
    ...says({ ...place, next: page < pages ? page + 1 : null }, asked),
  };
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
