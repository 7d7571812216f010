import type { Answer, Asked, Dialect } from './dialect.ts';
import { readCount } from './read-count.ts';

const DEFAULT_SIZE = 20;
const MAX_SIZE = 200;

/** One page, and what stands beside it. */
interface Page<T> {
  readonly items: readonly T[];
  readonly envelope: object;
}

/** The page of a list that a request asks for. The addresses of further pages keep its other parameters. */
export function pageOf<T>(
  { query, url, rules }: Pick<Asked, 'query' | 'url' | 'rules'>,
  all: readonly T[],
  refuse: Dialect['refuse'],
): Page<T> | { readonly refused: Answer } {
  const page = readCount(query.get('page'), 1);
  const asked = readCount(query.get('per_page'), DEFAULT_SIZE);
  if (page === undefined || asked === undefined) {
    return { refused: refuse(422, 'page and per_page must be whole numbers above zero.') };
  }
  const size = Math.min(asked, rules.maxPageSize ?? MAX_SIZE);
  const last = Math.max(1, Math.ceil(all.length / size));
  const addressOf = (number: number): string => {
    const address = new URL(url);
    address.searchParams.set('page', `${number}`);
    return address.href;
  };
  const pages = {
    ...(page > 1 ? { first: addressOf(1), prev: addressOf(page - 1) } : {}),
    ...(page < last ? { next: addressOf(page + 1), last: addressOf(last) } : {}),
  };
  const isBare = last === 1 || (rules.hasBareLastPage === true && page >= last);
  return {
    items: all.slice((page - 1) * size, page * size),
    envelope: { links: isBare ? {} : { pages }, meta: { total: all.length } },
  };
}
