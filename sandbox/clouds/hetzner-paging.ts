import type { Answer, Asked, Dialect } from './dialect.ts';
import { readCount } from './read-count.ts';

const DEFAULT_SIZE = 25;
const MAX_SIZE = 50;

/** One page, and the `meta` beside it. */
interface Page<T> {
  readonly items: readonly T[];
  readonly meta: object;
}

/** The page of a list that a request asks for. */
export function pageOf<T>(
  { query, rules }: Pick<Asked, 'query' | 'rules'>,
  all: readonly T[],
  refuse: Dialect['refuse'],
): Page<T> | { readonly refused: Answer } {
  const page = readCount(query.get('page'), 1);
  const asked = readCount(query.get('per_page'), DEFAULT_SIZE);
  if (page === undefined || asked === undefined) {
    return { refused: refuse(422, 'page and per_page must be whole numbers above zero') };
  }
  const size = Math.min(asked, rules.maxPageSize ?? MAX_SIZE);
  const last = Math.max(1, Math.ceil(all.length / size));
  const pagination = {
    page,
    per_page: size,
    previous_page: page > 1 ? page - 1 : null,
    next_page: page < last ? page + 1 : null,
    last_page: rules.hidesTotal ? null : last,
    total_entries: rules.hidesTotal ? null : all.length,
  };
  return { items: all.slice((page - 1) * size, page * size), meta: { pagination } };
}

/** Sorts by one `sort` of the form `field:asc` or `field:desc`; undefined for a field that can't be sorted by. */
export function sorted<T>(
  all: readonly T[],
  sort: string | null,
  fields: Readonly<Record<string, (item: T) => string | number>>,
): readonly T[] | undefined {
  const [name = '', direction = 'asc'] = (sort ?? 'id').split(':');
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined || !['asc', 'desc'].includes(direction)) return undefined;
  const ascending = all.toSorted((a, b) => (field(a) < field(b) ? -1 : field(a) > field(b) ? 1 : 0));
  return direction === 'asc' ? ascending : ascending.toReversed();
}

/** Whether labels fit a selector: `key`, `!key`, `key=value` and `key!=value`, separated by commas. */
export function fits(labels: Readonly<Record<string, string>>, selector: string): boolean {
  return selector.split(',').every((part) => {
    const [, not, key = '', unequal, value] = /^(!?)([^!=]+)(?:(!?)={1,2}(.*))?$/.exec(part.trim()) ?? [];
    if (value === undefined) return Object.hasOwn(labels, key) !== (not === '!');
    return (labels[key] === value) !== (unequal === '!');
  });
}
