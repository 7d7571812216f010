import { z } from 'zod';
import { HostingError } from '../../../platform/hosting/hosting-error.ts';
import { walkPages } from '../../../platform/hosting/pages.ts';
import type { HostingService, Transaction, TransactionPage } from '../../../platform/hosting/service.ts';
import { cursorSchema, isNewestFirst, START, unseen, whenOf } from './page-cursor.ts';

/**
 * How far a reading of the service's list has come, newest first, as a job keeps it in Redis: the process that takes it up after a
 * pause or a crash goes on with the next page and reads nothing again.
 */
export const walkSchema = z.object({
  /** The next page to read; they count from 1. */
  page: z.int().min(1),
  /** Where that is, where the service said so. */
  next: z.object({ path: z.string(), range: z.string().optional() }).optional(),
  /** How many transactions were read. */
  count: z.int(),
  /** What was read last, by which repeats are known. */
  cursor: cursorSchema,
  /** Pages without anything new, one after another. */
  stale: z.int(),
  /** Set once nothing more is to be read: all that is wanted was, or as much as is read at most. */
  end: z.enum(['all', 'cut']).optional(),
});
export type Walk = z.infer<typeof walkSchema>;

export const NOT_BEGUN: Walk = { page: 1, count: 0, cursor: START, stale: 0 };

const PER_PAGE = 100;
/** So much is read at a time before it is written down; a process that dies loses no more. */
const PAGES_AT_A_TIME = 10;
/** Pages without anything new, one after another, before the service is taken to go round in circles. */
const MAX_STALE_PAGES = 50;

/** What is read at most: what is older than `since` (Unix ms) is not wanted, and so many pages are enough. */
export interface Wanted {
  readonly since: number;
  readonly maxPages: number;
}

/** A page that was taken. */
export interface Taken {
  readonly walk: Walk;
  /** What of it was not read before. */
  readonly fresh: readonly Transaction[];
  /** All that follows is older than this, Unix ms; undefined where the page tells no order. */
  readonly reached: number | undefined;
}

/** The walk with the page that it is at. Pure. */
export function withPage(
  walk: Walk,
  { transactions, hasMore, next: place, total }: TransactionPage,
  { since, maxPages }: Wanted,
): Taken {
  const { fresh, cursor } = unseen(walk.cursor, transactions);
  const stale = transactions.length > 0 && fresh.length === 0 ? walk.stale + 1 : 0;
  const count = walk.count + fresh.length;
  const oldest = transactions.map(whenOf).findLast((at) => at !== undefined);
  const reached = isNewestFirst(transactions) ? oldest : undefined;
  const next: Walk = { page: walk.page + 1, next: place, count, cursor, stale };
  const ended = (end: Walk['end']): Taken => ({ walk: { ...next, end }, fresh, reached });
  if (reached !== undefined && reached < since) return ended('all');
  if (!hasMore) return ended(total !== undefined && count < total ? 'cut' : 'all');
  if (stale >= MAX_STALE_PAGES || walk.page >= maxPages) return ended('cut');
  return { walk: next, fresh, reached };
}

/** Reads some pages on, so that people's calls come first. What was read is kept where a fault ends it early: it is given as `fault`. */
export async function readOn<Progress extends Walk>(
  hosting: Pick<HostingService, 'listTransactions'>,
  from: Progress,
  take: (progress: Progress, page: TransactionPage) => Progress,
): Promise<{ progress: Progress; fault?: unknown }> {
  let progress = from;
  try {
    const pages = walkPages(
      (page, at) => hosting.listTransactions(page, PER_PAGE, { priority: 'bulk', at }),
      from,
    );
    for await (const page of pages) {
      progress = take(progress, page);
      if (progress.end !== undefined || progress.page - from.page === PAGES_AT_A_TIME) break;
    }
    return { progress };
  } catch (fault) {
    return { progress, fault };
  }
}

/** Statuses of a 4xx that say nothing about the place that was asked for. */
const NOT_OF_THE_PLACE = [401, 403, 429];

/** Whether a fault means that the service may not know the place any more that it named, so that it is read from the start. Pure. */
export function isPlaceGone({ next }: Walk, fault: unknown): boolean {
  const status = fault instanceof HostingError ? (fault.status ?? 0) : 0;
  return next !== undefined && status >= 400 && status < 500 && !NOT_OF_THE_PLACE.includes(status);
}
