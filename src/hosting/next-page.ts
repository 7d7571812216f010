import { parseUrl } from '../http/parse-url.ts';
import type { HostingAdapter } from './adapters/instance-hosting.ts';
import { at } from './read.ts';

/** Where a list goes on: a path and query, nowhere, or where it may not be followed to. */
export type NextPage = { readonly path: string } | 'none' | 'elsewhere';

/**
 * The page after this one. Whichever way of paging is present is followed (api/README.md section 3); a link to
 * another origin is not.
 */
export function nextPage(
  adapter: HostingAdapter,
  origin: string,
  path: string,
  answer: { headers: Readonly<Record<string, string>>; body: unknown },
): NextPage {
  const here = new URL(path, origin);
  const withQuery = (name: string, value: string): NextPage => {
    const next = new URL(here);
    next.searchParams.set(name, value);
    return { path: `${next.pathname}${next.search}` };
  };
  const first = (paths: readonly string[]): string | number | undefined =>
    paths
      .map((name) => at(answer.body, name))
      .find(
        (value): value is string | number =>
          (typeof value === 'string' && value !== '') || typeof value === 'number',
      );

  const cursor = first(adapter.nextCursorAt);
  if (cursor !== undefined) return withQuery('cursor', String(cursor));
  const link = first(adapter.nextLinkAt) ?? linkHeader(answer.headers.link);
  if (link !== undefined) {
    const next = parseUrl(String(link), here.href);
    // A path that begins with two slashes names a host once it is resolved again.
    const isOurs = next?.origin === here.origin && !next.pathname.startsWith('//');
    return isOurs ? { path: `${next.pathname}${next.search}` } : 'elsewhere';
  }
  const page = first(adapter.nextPageAt);
  if (page !== undefined) return withQuery('page', String(page));
  const current = Number(first(adapter.currentPageAt) ?? here.searchParams.get('page') ?? 1);
  const last = Number(first(adapter.lastPageAt) ?? Number.NaN);
  return current < last ? withQuery('page', String(current + 1)) : 'none';
}

function linkHeader(header: string | undefined): string | undefined {
  if (header === undefined || header.length > 4_000) return undefined;
  return header
    .split(',')
    .map((part) => /^\s*<([^>]*)>\s*;.*\brel="?next"?/i.exec(part)?.[1])
    .find((link) => link !== undefined);
}
