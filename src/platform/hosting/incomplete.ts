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
