import type { Answer, Asked, Dialect } from './dialect.ts';
import { readCount } from './read-count.ts';

const DEFAULT_SIZE = 100;
const MAX_SIZE = 500;

/** One page, and the `meta` beside it. */
interface Page<T> {
  readonly items: readonly T[];
  readonly meta: object;
}

/**
 * The page that a request asks for. A cursor names the place of the item that the page begins after, so that a
 * deletion moves nothing into or out of later pages.
 */
export function pageOf<T>(
  { query, rules }: Pick<Asked, 'query' | 'rules'>,
  all: readonly T[],
  placeOf: (item: T) => number,
  refuse: Dialect['refuse'],
): Page<T> | { readonly refused: Answer } {
  const asked = readCount(query.get('per_page'), DEFAULT_SIZE);
  const after = readCursor(query.get('cursor') ?? '');
  if (asked === undefined) return { refused: refuse(400, 'Invalid per_page') };
  if (after === undefined) return { refused: refuse(400, 'Invalid cursor') };
  const size = Math.min(asked, rules.maxPageSize ?? MAX_SIZE);
  const rest = all.filter((item) => placeOf(item) > after);
  const before = all.length - rest.length;
  const items = rest.slice(0, size);
  const last = items.at(-1);
  const previous = all[before - size - 1];
  const links = {
    next: last === undefined || rest.length <= size ? '' : cursorOf(placeOf(last)),
    prev: before === 0 ? '' : cursorOf(previous === undefined ? 0 : placeOf(previous)),
  };
  return { items, meta: { total: all.length, links } };
}

function cursorOf(place: number): string {
  return Buffer.from(`after__${place}`).toString('base64');
}

function readCursor(cursor: string): number | undefined {
  if (cursor === '') return 0;
  const place = /^after__(\d{1,9})$/.exec(Buffer.from(cursor, 'base64').toString())?.[1];
  return place === undefined ? undefined : Number(place);
}
