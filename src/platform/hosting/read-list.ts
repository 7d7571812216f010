import type { ListRead, Lists } from './adapter.ts';
import type { Calls } from './calls.ts';
import { type ReadPage, readPage, walkPages } from './pages.ts';
import type { Paging } from './paging.ts';
import { HostingError, type HostingFault } from './hosting-error.ts';
import type { Incomplete, PageRef } from './service.ts';
import type { ReadPriority } from './shared-read.ts';

/** A page as it was read: where, how many records it held, and how many the whole list had then. */
interface WalkedPage {
  readonly at: PageRef;
  readonly count: number;
  readonly total: number | undefined;
}

/** What a walk over numbered pages misses where the list becomes shorter meanwhile: what follows moves up to pages before. */
interface MovedUp<T> {
  /** The records that have moved to pages before this one. Throws what reading throws. */
  find(at: PageRef, page: ReadPage<T>): Promise<readonly T[]>;
  /** Whether all of them could be found: not where a list changes faster than it is read. */
  isCertain(): boolean;
}

/** Pages of one list that are read twice: a total that is different at each page says nothing. */
const MAX_READ_AGAIN = 20;

/** For one walk. `read`: reads a page once more. */
function createMovedUp<T>(read: (at: PageRef) => Promise<ReadPage<T>>): MovedUp<T> {
  const before: WalkedPage[] = [];
  let left = MAX_READ_AGAIN;
  let isCertain = true;
  return {
    find: async (at, { items, paging }) => {
      const found: T[] = [];
      let { total } = paging;
      let pages = reachedFrom(before, total);
      while (pages.length > 0) {
        if (pages.length > left) {
          isCertain = false;
          break;
        }
        left -= pages.length;
        let now = total;
        for (const page of pages) {
          const again = await read(page.at);
          found.push(...again.items);
          now = again.paging.total ?? now;
        }
        // What went while these were read has moved the rest further up.
        pages = now !== total ? reachedFrom(before, now) : [];
        total = now;
      }
      before.push({ at, count: items.length, total: paging.total });
      return found;
    },
    isCertain: () => isCertain,
  };
}

/** The last pages, as many as records can have moved up to since they were read: one record for each that is gone. */
function reachedFrom(before: readonly WalkedPage[], total: number | undefined): readonly WalkedPage[] {
  const last = before.at(-1);
  if (last?.total === undefined || total === undefined || total >= last.total) return [];
  return before.slice(-Math.ceil((last.total - total) / Math.max(1, last.count)));
}

/**
 * What is to be said of a list that was read to where it ended: undefined where it is whole. `total` is what the service
 * said last; `isAlone`: the page at which it ended was the first; `isCertain`: nothing can have been missed before that page.
 */
function incompleteOf({
  read,
  unread,
  total,
  end,
  isAlone,
  isCertain,
}: {
  read: number;
  /** Records that can't be read. */
  unread: number;
  total: number | undefined;
  end: Paging;
  isAlone: boolean;
  isCertain: boolean;
}): Incomplete | undefined {
  if (unread > 0) return { read, total: Math.max(total ?? 0, read + unread), isCertain: true };
  const known = total === undefined ? { read } : { read, total };
  if (total !== undefined && total > read) return { ...known, isCertain: true };
  if (end.next === 'unknown') return { read, isCertain: true };
  // A service that has named a next page before would name another.
  const mayHaveMore = end.next === 'silent' && end.isFull && isAlone && total === undefined;
  return mayHaveMore || !isCertain ? { read, isCertain: false } : undefined;
}

/** One of several lists that were read as one, as far as they could be. */
export interface ReadPart {
  readonly read: number;
  readonly incomplete: Incomplete | undefined;
}

/**
 * The same of several lists that were joined, of which `different` records are left where one that stands in two counts once, and
 * `most` are kept, and `failed` didn't come: undefined where each is whole. Pure.
 */
export function incompleteOfAll(
  parts: readonly ReadPart[],
  {
    different,
    most,
    failed = 0,
  }: { readonly different: number; readonly most: number; readonly failed?: number },
): Incomplete | undefined {
  if (failed > 0) {
    const lists = { lists: failed, of: parts.length + failed };
    return { read: Math.min(different, most), isCertain: true, failed: lists };
  }
  const short = parts.flatMap(({ incomplete }) => incomplete ?? []);
  const isCut = different > most;
  if (short.length === 0 && !isCut) return undefined;
  const read = Math.min(different, most);
  const isCertain = isCut || short.some((one) => one.isCertain);
  if (!isCut && short.some(({ total }) => total === undefined)) return { read, isCertain };
  const twice = parts.reduce((sum, part) => sum + part.read, 0) - different;
  const all = parts.reduce((sum, part) => sum + (part.incomplete?.total ?? part.read), 0);
  return { read, total: all - twice, isCertain };
}

/** As many as `MAX_ITEMS` fill where a page has a hundred. */
const MAX_PAGES = 100;
const MAX_ITEMS = 10_000;

/** What was read of a list; `pages`: how many calls it took. */
interface ReadItems<T> {
  readonly items: T[];
  readonly incomplete?: Incomplete;
  readonly pages: number;
}

export function listsOf<T>(list: Lists<T>): readonly ListRead<T>[] {
  return 'path' in list ? [list] : list;
}

/**
 * Reads one list, or several one after the other as if they were one: a record that stands in two of them is still one, and what
 * all of them hold together is cut as one list is. `onPage` as in `readList`, between two lists as well.
 */
export async function readLists<T extends { readonly id: string }>(
  calls: Calls,
  list: Lists<T>,
  doing: string,
  priority: ReadPriority,
  onPage?: () => Promise<void>,
): Promise<ReadItems<T>> {
  const items = new Map<string, T>();
  const parts: ReadPart[] = [];
  const faults: HostingError[] = [];
  let pages = 0;
  for (const [nth, one] of listsOf(list).entries()) {
    const isFirst = nth === 0;
    if (!isFirst) await onPage?.();
    const read = await readList(calls, one, doing, priority, onPage, isFirst).catch(faultOfOne);
    if (read instanceof HostingError) {
      faults.push(read);
      pages += 1;
      continue;
    }
    for (const item of read.items) items.set(item.id, item);
    parts.push({ read: read.items.length, incomplete: read.incomplete });
    pages += read.pages;
  }
  const [fault] = faults;
  if (fault && parts.length === 0) throw fault;
  return {
    items: [...items.values()].slice(0, MAX_ITEMS),
    pages,
    incomplete: incompleteOfAll(parts, { different: items.size, most: MAX_ITEMS, failed: faults.length }),
  };
}

/** What is of the key, the bot, its adapter or the way to the service, and so of each list. */
const OF_ALL: readonly HostingFault[] = [
  'unauthorized',
  'rate-limited',
  'not-built',
  'unreachable',
  'no-answer',
  'unreadable',
];

/** A fault of one list alone, which leaves the others as they are. Throws any other. */
export function faultOfOne(error: unknown): HostingError {
  if (error instanceof HostingError && !OF_ALL.includes(error.fault)) return error;
  throw error;
}

/**
 * Reads a list: follows pages to the end, an empty one, one that brings nothing new, or a cap. `onPage` runs between pages,
 * and what it throws ends the reading. `isFirst`: nothing was read before it that it goes on with.
 */
export async function readList<T extends { readonly id: string }>(
  calls: Calls,
  list: ListRead<T>,
  doing: string,
  priority: ReadPriority,
  onPage?: () => Promise<void>,
  isFirst = true,
): Promise<ReadItems<T>> {
  const readAt = async (at: PageRef, isContinued: boolean): Promise<ReadPage<T>> => {
    const isBehind = isContinued && priority === 'background';
    return readPage(calls, list, { doing, priority: isBehind ? 'continued' : priority }, at);
  };
  const movedUp = createMovedUp((at) => readAt(at, true));
  const walk = walkPages(async (number, at = calls.firstPage(list)) => {
    const page = await readAt(at, number > 1 || !isFirst);
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
