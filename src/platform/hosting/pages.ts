import type { ListRead } from './adapter.ts';
import type { Calls } from './calls.ts';
import type { Paging } from './paging.ts';
import type { Requester } from './request.ts';
import type { PageRef } from './service.ts';
import { reading, Unreadable } from './unreadable.ts';

/**
 * The pages of a list one after another, each with its number, until one says that there is none after it. A page is read
 * only once the one before was taken. `read` gets the number of a page and where the one before said that it is; whatever
 * it throws ends the walk. `from`: the page to begin with, where not with the first.
 */
export async function* walkPages<Page extends { readonly hasMore: boolean; readonly next?: PageRef }>(
  read: (number: number, at: PageRef | undefined) => Promise<Page>,
  from: { readonly page: number; readonly next?: PageRef | undefined } = { page: 1 },
): AsyncGenerator<Page & { readonly number: number }, void> {
  let at = from.next;
  for (let number = from.page; ; number++) {
    const page = await read(number, at);
    yield { ...page, number };
    if (!page.hasMore) return;
    at = page.next;
  }
}

/** The records of a page, and what it says of the whole list. */
export interface ReadPage<T> {
  readonly items: readonly T[];
  readonly paging: Paging;
}

/** One page of a list at `here`, whole paths, and what it says of the next one. Throws HostingError. */
export async function readPage<T>(
  { place, requester }: Pick<Calls, 'place' | 'requester'>,
  list: ListRead<T>,
  call: Pick<Parameters<Requester['read']>[0], 'doing' | 'turn'>,
  here: PageRef,
): Promise<ReadPage<T>> {
  const answer = await requester.read({ ...call, method: 'GET', ...here });
  return reading(call.doing, answer, () => {
    const items = list.items(answer.body);
    if (items === undefined) throw new Unreadable('no list in the answer');
    const paging = list.paging({ ...place, here, answer, count: items.length });
    return { items: items.map((item) => list.item(item)), paging };
  });
}
