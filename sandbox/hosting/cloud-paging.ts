import type { CloudPagingStyle } from './variant.ts';

/** Where the list was asked for, to make the next link from. */
export interface Asked {
  readonly origin: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The Range header. */
  readonly range?: string;
}

/** Where one page stands in its list. Pages count from 1, `first` from 0; `next` is null on the last one. */
interface Place {
  readonly page: number;
  readonly pages: number;
  readonly size: number;
  readonly first: number;
  readonly count: number;
  readonly total: number;
  readonly next: number | null;
}

/** What a service says of a page beside its items. */
interface Said {
  readonly envelope?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
}

/** One way of paging: which page is asked for, as text, and what is said of it. */
interface Style {
  readonly asks: (asked: Asked) => string | null;
  readonly says: (place: Place, asked: Asked) => Said;
}

/** The ways of six clouds beside the common ones. What a service doesn't look at, it ignores. */
export const cloudStyles: Readonly<Record<CloudPagingStyle, Style>> = {
  'top-level pages': numbered(({ page, pages }) => ({ envelope: { page, pages } })),
  'top-level total_pages': numbered(({ page, pages }) => ({ envelope: { page, total_pages: pages } })),
  _pagination: numbered(({ page, pages, total }) => ({
    envelope: { _pagination: { page, total_pages: pages, total } },
  })),
  'X-Total-Pages': numbered(({ page, pages, total }) => ({
    headers: { 'X-Page': `${page}`, 'X-Total-Pages': `${pages}`, 'X-Total-Count': `${total}` },
  })),
  'relative Link': numbered(({ next, page }) => ({
    headers: {
      Link: [
        ...(page > 1 ? [`<?page=${page - 1}>; rel=prev`] : []),
        ...(next === null ? [] : [`<?page=${next}>; title="a, b"; rel="last next"`]),
        '<?page=1>; rel=first',
      ].join(', '),
    },
  })),
  next_token: tokened('next_token', (token) => ({ has_more: token !== null, next_token: token })),
  next_page_token: tokened('page_token', (token) => (token === null ? {} : { next_page_token: token })),
  continuation_token: tokened('continuation_token', (token) => ({ continuation_token: token })),
  after: tokened('after', (token) => ({ paging: { has_more: token !== null, after: token ?? 'last' } })),
  'opaque meta.links.next': tokened('cursor', (token) => ({ meta: { links: { next: token ?? '' } } })),
  'offset and total': {
    asks: ({ query }) => query.get('offset'),
    says: ({ first, size, total }) => ({ envelope: { offset: first, limit: size, total } }),
  },
  'Next-Range': {
    asks: ({ range }) => /^page (\d+)$/.exec(range ?? '')?.[1] ?? null,
    says: ({ next }) => (next === null ? {} : { status: 206, headers: { 'Next-Range': `page ${next}` } }),
  },
  'Content-Range': {
    asks: ({ range }) => /^items=(\d+)-\d+$/.exec(range ?? '')?.[1] ?? null,
    says: ({ first, count, total }) => ({
      status: count < total ? 206 : 200,
      headers: { 'Content-Range': `items ${first}-${first + count - 1}/${total}` },
    }),
  },
  // From here on nothing says how to go on.
  'X-Total-Count alone': unsaid(({ total }) => ({ headers: { 'X-Total-Count': `${total}` } })),
  'total alone': unsaid(({ total }) => ({ envelope: { total } })),
  'has_more alone': unsaid(({ next }) => ({ envelope: { has_more: next !== null } })),
  silent: unsaid(() => ({})),
};

/** Whether what such a style asks for is the place of the first item and not the number of the page. */
export function countsItems(style: CloudPagingStyle): boolean {
  return style === 'offset and total' || style === 'Content-Range';
}

function numbered(says: Style['says']): Style {
  return { asks: ({ query }) => query.get('page'), says };
}

function tokened(parameter: string, says: (token: string | null) => Said['envelope']): Style {
  return {
    asks: ({ query }) => /^t(\d+)$/.exec(fromToken(query.get(parameter) ?? ''))?.[1] ?? null,
    says: ({ next }) => ({ envelope: says(next === null ? null : toToken(`t${next}`)) ?? {} }),
  };
}

function unsaid(says: Style['says']): Style {
  return { asks: ({ query }) => query.get('seite'), says };
}

function toToken(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function fromToken(token: string): string {
  return Buffer.from(token, 'base64url').toString();
}
