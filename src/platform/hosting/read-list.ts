import type { EndpointName } from './adapters/instance-hosting.ts';
import type { Endpoints } from './endpoints.ts';
import { errorOfBody } from './errors.ts';
import { incompleteOf } from './incomplete.ts';
import { type Paging, readPaging } from './next-page.ts';
import { isObject, listIn } from './read.ts';
import type { Incomplete, PageRef } from './service.ts';
import type { Reader } from './shared-read.ts';

const MAX_PAGES = 50;
const MAX_ITEMS = 10_000;

/** Reads a list: follows pages to the end, an empty one, one that brings nothing new, or a cap. */
export async function readList(
  { adapter, origin, requester, callOf }: Endpoints,
  name: EndpointName,
  doing: string,
  turn: Reader,
): Promise<{ items: unknown[]; incomplete?: Incomplete }> {
  // One that moved between two pages while they were read is still one.
  const items = new Map<unknown, unknown>();
  const first = callOf(name, doing);
  let total: number | undefined;
  let here: PageRef = { path: first.path };
  for (let pages = 1; ; pages++) {
    const isContinued = pages > 1 && turn === 'background';
    const answer = await requester.read({ ...first, ...here, turn: isContinued ? 'continued' : turn });
    const page = listIn(adapter, answer.body);
    if (page === undefined) throw errorOfBody(doing, 'no list in the answer');
    const before = items.size;
    for (const item of page) items.set(keyOf(item), item);
    const paging: Paging = readPaging(adapter, origin, here, answer, page.length);
    total = paging.total ?? total;
    if (items.size > MAX_ITEMS) total = Math.max(total ?? 0, items.size);
    const isCapped = pages === MAX_PAGES || items.size >= MAX_ITEMS;
    if (typeof paging.next === 'object' && items.size > before && !isCapped) {
      here = paging.next;
      continue;
    }
    const read = Math.min(items.size, MAX_ITEMS);
    const incomplete = incompleteOf({ read, total, end: endOf(paging, page.length), isAlone: pages === 1 });
    return { items: [...items.values()].slice(0, MAX_ITEMS), ...(incomplete ? { incomplete } : {}) };
  }
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
