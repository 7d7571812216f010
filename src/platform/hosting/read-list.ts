import type { ListRead } from './adapter.ts';
import type { Calls } from './calls.ts';
import { incompleteOf } from './incomplete.ts';
import { createMovedUp } from './moved-up.ts';
import { type ReadPage, readPage, walkPages } from './pages.ts';
import type { Paging } from './paging.ts';
import type { Incomplete, PageRef } from './service.ts';
import type { ReadPriority } from './shared-read.ts';

/** As many as `MAX_ITEMS` fill where a page has a hundred. */
const MAX_PAGES = 100;
const MAX_ITEMS = 10_000;

/**
 * Reads a list: follows pages to the end, an empty one, one that brings nothing new, or a cap. `onPage` runs between pages,
 * and what it throws ends the reading.
 */
export async function readList<T extends { readonly id: string }>(
  calls: Calls,
  list: ListRead<T>,
  doing: string,
  priority: ReadPriority,
  onPage?: () => Promise<void>,
): Promise<{ items: T[]; incomplete?: Incomplete; pages: number }> {
  const readAt = async (at: PageRef, isContinued: boolean): Promise<ReadPage<T>> => {
    const isBehind = isContinued && priority === 'background';
    return readPage(calls, list, { doing, priority: isBehind ? 'continued' : priority }, at);
  };
  const movedUp = createMovedUp((at) => readAt(at, true));
  const walk = walkPages(async (number, at = { path: calls.at(list.path) }) => {
    const page = await readAt(at, number > 1);
    const moved = await movedUp.find(at, page);
    const { next } = page.paging;
    return typeof next === 'object'
      ? { ...page, moved, hasMore: true, next }
      : { ...page, moved, hasMore: false };
  });
  // One that moved between two pages while they were read is still one.
  const items = new Map<string, T>();
  let total: number | undefined;
  let pages = 0;
  let end: Paging = { next: 'silent', isFull: false };
  let unread = 0;
  for await (const { items: page, unread: some, moved, paging, number } of walk) {
    unread += some;
    const known = items.size;
    for (const item of [...page, ...moved]) items.set(item.id, item);
    total = paging.total ?? total;
    if (items.size > MAX_ITEMS) total = Math.max(total ?? 0, items.size);
    pages = number;
    end = endOf(paging, page.length + some);
    if (items.size === known || number === MAX_PAGES || items.size >= MAX_ITEMS) break;
    await onPage?.();
  }
  const read = Math.min(items.size, MAX_ITEMS);
  const isCertain = movedUp.isCertain();
  const incomplete = incompleteOf({ read, unread, total, end, isAlone: pages === 1, isCertain });
  return { items: [...items.values()].slice(0, MAX_ITEMS), pages, incomplete };
}

/** How a list ends at this page: a page that it names all the same was read before, is past a cap, or empty pages follow. */
function endOf(paging: Paging, count: number): Paging {
  const { next } = paging;
  if (count === 0) return { ...paging, next: 'last' };
  return typeof next === 'object' ? { ...paging, next: 'unknown' } : paging;
}
