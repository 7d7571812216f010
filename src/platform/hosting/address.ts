import { HostingError } from './hosting-error.ts';

const ID = /^[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}$/;

/** Whether a text can be an id of the hosting API: one plain path segment. Anything else never reaches a URL. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** The base URL as origin and path prefix, whether it was given with or without the version prefix. */
export function baseOf(url: string, prefix: string): { origin: string; path: string } {
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, '');
  return { origin, path: path.endsWith(prefix) ? path : `${path}${prefix}` };
}

/**
 * The path of an endpoint with its id filled in. Throws a HostingError (not-found) when the id isn't one,
 * before any URL is built: `..`, `a#f` and `%2e%2e` all changed the target otherwise.
 */
export function pathOf(doing: string, base: string, template: string, id?: string): string {
  if (id === undefined) return `${base}${template}`;
  if (!isId(id)) throw new HostingError(doing, { fault: 'not-found', outcome: 'not-done', retryable: false });
  return `${base}${template.replace(':id', encodeURIComponent(id))}`;
}
