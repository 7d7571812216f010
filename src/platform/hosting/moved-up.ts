import type { ReadPage } from './pages.ts';
import type { PageRef } from './service.ts';

/** A page as it was read: where, how many records it held, and how many the whole list had then. */
interface WalkedPage {
  readonly at: PageRef;
  readonly count: number;
  readonly total: number | undefined;
}

/** What a walk over numbered pages misses where the list becomes shorter meanwhile: what follows moves up to pages before. */
export interface MovedUp<T> {
  /** The records that have moved to pages before this one. Throws what reading throws. */
  find(at: PageRef, page: ReadPage<T>): Promise<readonly T[]>;
  /** Whether all of them could be found: not where a list changes faster than it is read. */
  isCertain(): boolean;
}

/** Pages of one list that are read twice: a total that is different at each page says nothing. */
const MAX_READ_AGAIN = 20;

/** For one walk. `read`: reads a page once more. */
export function createMovedUp<T>(read: (at: PageRef) => Promise<ReadPage<T>>): MovedUp<T> {
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
