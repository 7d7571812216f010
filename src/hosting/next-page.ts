import type { HostingAdapter } from './adapters/instance-hosting.ts';
import { at } from './read.ts';

/**
 * The path and query of the page after this one, or undefined at the end. Whichever way of paging is
 * present is followed (api/README.md section 3); a link to another origin is not.
 */
export function nextPage(
  adapter: HostingAdapter,
  origin: string,
  path: string,
  answer: { headers: Readonly<Record<string, string>>; body: unknown },
): string | undefined {
  const here = new URL(path, origin);
  const withQuery = (name: string, value: string): string => {
    const next = new URL(here);
    next.searchParams.set(name, value);
    return `${next.pathname}${next.search}`;
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
    const next = URL.parse(String(link), here.href);
    return next?.origin === here.origin ? `${next.pathname}${next.search}` : undefined;
  }
  const page = first(adapter.nextPageAt);
  if (page !== undefined) return withQuery('page', String(page));
  const current = Number(at(answer.body, 'meta.page') ?? at(answer.body, 'meta.current_page') ?? 1);
  const last = Number(first(adapter.lastPageAt) ?? Number.NaN);
  return current < last ? withQuery('page', String(current + 1)) : undefined;
}

function linkHeader(header: string | undefined): string | undefined {
  if (header === undefined || header.length > 4_000) return undefined;
  return header
    .split(',')
    .map((part) => /^\s*<([^>]*)>\s*;.*\brel="?next"?/i.exec(part)?.[1])
    .find((link) => link !== undefined);
}
