import type { Adapter, ListRead, ServiceRead } from './adapter.ts';
import { baseOf, isId } from './address.ts';
import { HostingError } from './hosting-error.ts';
import type { PageCursor } from './paging.ts';
import type { PageRef } from './service.ts';
import type { Requester } from './request.ts';
import type { ReadPriority } from './shared-read.ts';
import { type LeaveOut, reading } from './unreadable.ts';

/** A service at one address, and the way to it. */
export interface Calls {
  readonly adapter: Adapter;
  readonly place: PageCursor;
  readonly requester: Requester;
  /** The whole path of a call. */
  at(path: string): string;
  /** The first page of a list. */
  firstPage(list: Pick<ListRead<unknown>, 'path' | 'post'>): PageRef;
  /** Reads, counts the fields that are left out, and tells them at the end. */
  counting<T>(doing: string, read: (leaveOut: LeaveOut) => T): T;
  /** One read. `doing` is for the log. Throws HostingError. */
  read<T>(doing: string, call: ServiceRead<T>, priority: ReadPriority): Promise<T>;
}

/** Hears which fields were left out of how many records, because they can't be read. */
export type OnLeftOut = (doing: string, counts: ReadonlyMap<string, number>) => void;

export function createCalls(
  adapter: Adapter,
  url: string,
  requester: Requester,
  onLeftOut?: OnLeftOut,
): Calls {
  const base = baseOf(url, adapter.prefix);
  const at = (path: string): string => `${base.path}${path}`;
  const counting: Calls['counting'] = (doing, read) => {
    const counts = new Map<string, number>();
    const result = read((field) => counts.set(field, (counts.get(field) ?? 0) + 1));
    if (counts.size > 0) onLeftOut?.(doing, counts);
    return result;
  };
  return {
    adapter,
    counting,
    place: { origin: base.origin, below: { path: base.path, prefix: adapter.prefix } },
    requester,
    at,
    firstPage: ({ path, post: body }) => ({ path: at(path), ...(body === undefined ? {} : { body }) }),
    read: async (doing, call, priority) => {
      const { path, post: body, headers } = call;
      const answer = await requester.read({ doing, path: at(path), headers, body, priority });
      return counting(doing, (leaveOut) => reading(doing, answer, () => call.decode(answer, leaveOut)));
    },
  };
}

/** Throws a HostingError (not-found) where a text is no id, before any URL is built: `..`, `a#f` and `%2e%2e` change the path. */
export function checkId(doing: string, id: string): void {
  if (!isId(id)) throw new HostingError(doing, { fault: 'not-found', outcome: 'not-done', retryable: false });
}
