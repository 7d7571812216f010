import type { Calls } from './calls.ts';
import { errorOfBody } from './errors.ts';
import { HostingError } from './hosting-error.ts';
import { readPage } from './pages.ts';
import { notOffered } from './offered.ts';
import type { Paging } from './paging.ts';
import type { HostingService, Transaction } from './service.ts';

/**
 * One page of transactions, by its number or where another page named it. Throws HostingError, with status
 * 404 where the service has none.
 */
export function createListTransactions(calls: Calls): HostingService['listTransactions'] {
  return async (page, perPage, { priority = 'read', at: place } = {}) => {
    const doing = 'listing transactions';
    const { billing } = calls.adapter;
    const list = billing?.kind === 'prepaid' ? billing.transactions?.(page, perPage) : undefined;
    if (!list) throw notOffered(doing);
    const here = place ?? calls.firstPage(list);
    const answer = await readPage(calls, list, { doing, priority }, here).catch((error: unknown) => {
      // Some services have no page past the last one, and a page asked for by its number may be that.
      const isPastLast = page > 1 && place === undefined;
      if (isPastLast && error instanceof HostingError && error.status === 404) return undefined;
      throw error;
    });
    if (!answer) return { transactions: [], hasMore: false };
    const { items, paging } = answer;
    if (items.length > 0 && items.every(isNothing)) throw errorOfBody(doing, 'no transaction in the answer');
    const next = items.length > 0 && typeof paging.next === 'object' ? paging.next : undefined;
    const hasMore = next !== undefined || (place === undefined && hasPageAfter(paging, page, items.length));
    return {
      transactions: page === 1 && !hasMore ? newestFirst(items) : items,
      hasMore,
      next,
      total: paging.total,
    };
  };
}

/** By their own times, where all of them can be read; of those at one time the service's order tells. Pure. */
function newestFirst(all: readonly Transaction[]): readonly Transaction[] {
  const timeOf = ({ createdAt }: Transaction): number => Date.parse(createdAt);
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last || all.some((one) => Number.isNaN(timeOf(one)))) return all;
  const inOrder = timeOf(first) < timeOf(last) ? all.toReversed() : all;
  return inOrder.toSorted((one, other) => timeOf(other) - timeOf(one));
}

/** Whether nothing of a record could be read. */
function isNothing({ id, createdAt, type }: Transaction): boolean {
  return id + createdAt + type === '';
}

/** Whether the next page is to be asked for by its number, which a service that names no other way may understand. */
function hasPageAfter({ next, total, isFull }: Paging, page: number, count: number): boolean {
  if (count === 0 || next === 'last') return false;
  if (next === 'unknown') return true;
  return total === undefined ? isFull : page * count < total;
}
