import type { ListRead } from './adapter.ts';
import type { Calls } from './calls.ts';
import type { Paging } from './paging.ts';
import type { Requester } from './request.ts';
import type { PageRef } from './service.ts';
import { atOnce, reading, Unreadable } from './unreadable.ts';

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
  /** How many records it has besides, which can't be read. */
  readonly unread: number;
  readonly paging: Paging;
}

/** One page of a list at `here`, whole paths, and what it says of the next one. Throws HostingError. */
export async function readPage<T>(
  { place, requester, counting }: Pick<Calls, 'place' | 'requester' | 'counting'>,
  list: ListRead<T>,
  call: Pick<Parameters<Requester['read']>[0], 'doing' | 'priority'>,
  here: PageRef,
): Promise<ReadPage<T>> {
  const answer = await requester.read({ ...call, headers: list.headers, ...here });
  return counting(call.doing, (leaveOut) =>
    reading(call.doing, answer, () => {
      const given = atOnce(list.items(answer.body));
      if (given === undefined) throw new Unreadable('no list in the answer');
      const records = given ?? [];
      const paging = atOnce(list.paging({ ...place, here, answer, count: records.length }));
      const items = readable(records, (record) => atOnce(list.item(record, leaveOut)));
      return { items, unread: records.length - items.length, paging };
    }),
  );
}

/** Those records that can be read. Throws Unreadable where none of them can. */
function readable<T>(records: readonly unknown[], read: (record: unknown) => T): readonly T[] {
  const items: T[] = [];
  let fault: Unreadable | undefined;
  for (const record of records) {
    try {
      items.push(read(record));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      fault = error;
    }
  }
  if (fault && items.length === 0) throw fault;
  return items;
}
