import type { EndpointName } from './adapters/instance-hosting.ts';
import type { Endpoints } from './endpoints.ts';
import { incompleteOf } from './incomplete.ts';
import type { Paging } from './next-page.ts';
import { readPage, walkPages } from './pages.ts';
import { isObject } from './read.ts';
import type { Incomplete } from './service.ts';
import type { Reader } from './shared-read.ts';

const MAX_PAGES = 50;
const MAX_ITEMS = 10_000;

/**
 * Reads a list: follows pages to the end, an empty one, one that brings nothing new, or a cap. `onPage` runs between pages,
 * and what it throws ends the reading.
 */
export async function readList(
  endpoints: Endpoints,
  name: EndpointName,
  doing: string,
  turn: Reader,
  onPage?: () => Promise<void>,
): Promise<{ items: unknown[]; incomplete?: Incomplete; pages: number }> {
  const call = endpoints.callOf(name, doing);
  const walk = walkPages(async (number, at = { path: call.path }) => {
    const isContinued = number > 1 && turn === 'background';
    const page = await readPage(endpoints, { ...call, turn: isContinued ? 'continued' : turn }, at);
    const { next } = page.paging;
    return typeof next === 'object' ? { ...page, hasMore: true, next } : { ...page, hasMore: false };
  });
  // One that moved between two pages while they were read is still one.
  const items = new Map<unknown, unknown>();
  let total: number | undefined;
  let pages = 0;
  let end: Paging = { next: 'silent', isFull: false };
  for await (const { items: page, paging, number } of walk) {
    const before = items.size;
    for (const item of page) items.set(keyOf(item), item);
    total = paging.total ?? total;
    if (items.size > MAX_ITEMS) total = Math.max(total ?? 0, items.size);
    pages = number;
    end = endOf(paging, page.length);
    if (items.size === before || number === MAX_PAGES || items.size >= MAX_ITEMS) break;
    await onPage?.();
  }
  const read = Math.min(items.size, MAX_ITEMS);
  const incomplete = incompleteOf({ read, total, end, isAlone: pages === 1 });
  return { items: [...items.values()].slice(0, MAX_ITEMS), pages, ...(incomplete ? { incomplete } : {}) };
}

/** How a list ends at this page: a page that it names all the same was read before, is past a cap, or empty pages follow. */
function endOf(paging: Paging, count: number): Paging {
  const { next } = paging;
  if (count === 0) return { ...paging, next: 'last' };
  return typeof next === 'object' ? { ...paging, next: 'lost' } : paging;
}

/** What tells one item from another: its id, or itself where it has none. */
function keyOf(item: unknown): unknown {
  const id = isObject(item) ? item['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : item;
}
