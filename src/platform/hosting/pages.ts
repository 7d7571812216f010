import type { Endpoints } from './endpoints.ts';
import { errorOfBody } from './errors.ts';
import { type Paging, readPaging } from './next-page.ts';
import { listIn } from './read.ts';
import type { PageRef } from './service.ts';

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

/** One page of a list at `here`, and what it says of the next one. Throws HostingError. */
export async function readPage(
  { adapter, origin, requester }: Endpoints,
  call: Parameters<Endpoints['requester']['read']>[0],
  here: PageRef,
): Promise<{ items: unknown[]; paging: Paging }> {
  const answer = await requester.read({ ...call, ...here });
  const items = listIn(adapter, answer.body);
  if (items === undefined) throw errorOfBody(call.doing, 'no list in the answer');
  return { items, paging: readPaging(adapter, origin, here, answer, items.length) };
}
