import type { Endpoints } from './endpoints.ts';
import { HostingError } from './hosting-error.ts';
import type { Paging } from './next-page.ts';
import { readPage } from './pages.ts';
import { transactionsFrom } from './records.ts';
import type { HostingService } from './service.ts';

/** One page of transactions, by its number or where another page named it. */
export function createListTransactions(endpoints: Endpoints): HostingService['listTransactions'] {
  return async (page, perPage, { turn = 'read', at: place } = {}) => {
    const doing = 'listing transactions';
    const call = endpoints.callOf('listTransactions', doing);
    const here = place ?? { path: `${call.path}?page=${page}&per_page=${perPage}` };
    const answer = await readPage(endpoints, { ...call, turn }, here).catch((error: unknown) => {
      // Some services have no page past the last one, and a page asked for by its number may be that.
      const isPastLast = page > 1 && place === undefined;
      if (isPastLast && error instanceof HostingError && error.status === 404) return undefined;
      throw error;
    });
    if (!answer) return { transactions: [], hasMore: false };
    const { items, paging } = answer;
    const next = items.length > 0 && typeof paging.next === 'object' ? paging.next : undefined;
    return {
      transactions: transactionsFrom(items, doing),
      hasMore: next !== undefined || (place === undefined && hasPageAfter(paging, page, items.length)),
      ...(next === undefined ? {} : { next }),
      ...(paging.total === undefined ? {} : { total: paging.total }),
    };
  };
}

/** Whether the next page is to be asked for by its number, which a service that names no other way may understand. */
function hasPageAfter({ next, total, isFull }: Paging, page: number, count: number): boolean {
  if (count === 0 || next === 'last') return false;
  if (next === 'lost') return true;
  return total === undefined ? isFull : page * count < total;
}
