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
