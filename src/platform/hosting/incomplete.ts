import type { Paging } from './paging.ts';
import type { Incomplete } from './service.ts';

/**
 * What is to be said of a list that was read to where it ended: undefined where it is whole. `total` is what the service
 * said last; `isAlone`: the page at which it ended was the first; `isCertain`: nothing can have been missed before that page.
 */
export function incompleteOf({
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
