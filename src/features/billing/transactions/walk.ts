import { z } from 'zod';
import { HostingError } from '../../../platform/hosting/hosting-error.ts';
import { walkPages } from '../../../platform/hosting/pages.ts';
import type { HostingService, Transaction, TransactionPage } from '../../../platform/hosting/service.ts';
import { idOf } from '../../../platform/id.ts';

/** What was taken last of a list, as it is kept in Redis. */
const cursorSchema = z.object({
  /** Marks of what was taken last, oldest first. */
  keys: z.array(z.string()),
  /** When the last of it was, Unix ms. */
  lastAt: z.number().optional(),
});
type Cursor = z.infer<typeof cursorSchema>;

const START: Cursor = { keys: [] };

/** By so many marks the place is found again where reading goes on; what is older is known by its time. */
const MAX_KEYS = 1_000;

/**
 * What of the next page was not taken yet, and what to remember then. Whatever is new while pages are read moves the rest
 * on, so that a page begins with what came before, or is all of that. Pure.
 */
function unseen(
  cursor: Cursor,
  page: readonly Transaction[],
): { fresh: readonly Transaction[]; cursor: Cursor } {
  const seen = new Set(cursor.keys);
  const keys = page.map(keyOf);
  const lastSeen = keys.findLastIndex((key) => seen.has(key));
  const isBefore = lastSeen === -1 && isAllNewer(page, cursor.lastAt);
  // Whatever stands before one that was seen was on an earlier page, or is newer than the first.
  const from = isBefore ? page.length : lastSeen + 1;
  const fresh = page.slice(from);
  const lastAt = fresh.map(whenOf).findLast((at) => at !== undefined) ?? cursor.lastAt;
  return {
    fresh,
    cursor: {
      keys: [...cursor.keys, ...keys.slice(from)].slice(-MAX_KEYS),
      lastAt,
    },
  };
}

/** When it was, in Unix ms. Only a date that begins with its year, since Date.parse makes a date of almost anything. */
export function whenOf({ createdAt }: Pick<Transaction, 'createdAt'>): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}/.test(createdAt) ? Date.parse(createdAt) : Number.NaN;
  return Number.isFinite(at) ? at : undefined;
}

/** Whether times that can be read only fall, and so tell that what follows is older. Pure. */
function isNewestFirst(transactions: readonly Pick<Transaction, 'createdAt'>[]): boolean {
  const times = transactions.flatMap((one) => whenOf(one) ?? []);
  const hasFallen = (times[0] ?? 0) > (times.at(-1) ?? 0);
  return hasFallen && !isRising(times);
}

/** Whether a time is later than the one before it. Pure. */
function isRising(times: readonly number[]): boolean {
  return times.some((at, index) => at > (times[index - 1] ?? Number.POSITIVE_INFINITY));
}

function isAllNewer(page: readonly Transaction[], lastAt: number | undefined): boolean {
  const times = page.flatMap((one) => whenOf(one) ?? []);
  return lastAt !== undefined && times.length > 0 && !isRising(times) && times.every((at) => at > lastAt);
}

/** By more than the id, in case a service gives all the same, or none. */
export function keyOf(one: Transaction): string {
  const { id, type, createdAt, amountCredits, balanceAfterCredits, instanceId } = one;
  return idOf(JSON.stringify([id, type, createdAt, amountCredits, balanceAfterCredits, instanceId]));
}

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
  /** How many there were, by the first page that said so. */
  total: z.number().optional(),
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
const MAX_STALE_PAGES = 5;
/** The same of a job: it may pause for hours between two pages, in which much is new. */
export const MAX_STALE_PAGES_OF_JOB = 50;

type Lists = Pick<HostingService, 'listTransactions'>;

/** What is read at most: what is older than `since` (Unix ms) is not wanted, and so many pages are enough. */
interface Limits {
  readonly since?: number | undefined;
  readonly maxPages?: number;
  /** So many pages without anything new, one after another, are a circle. */
  readonly maxStale?: number;
}

/** A page that was taken. */
export interface Taken {
  readonly walk: Walk;
  /** What of it was not read before. */
  readonly fresh: readonly Transaction[];
  /** All that follows is older than this, Unix ms; undefined where the page tells no order. */
  readonly reached: number | undefined;
  /** Something in it is newer than what came before it. */
  readonly isRising: boolean;
  /** Set where it is the last page: all that is wanted was read, or why not. */
  readonly end: 'all' | 'some missing' | 'same page again' | 'most pages' | undefined;
}

/** The walk with the page that it is at. Pure. */
export function withPage(walk: Walk, page: TransactionPage, limits: Limits): Taken {
  const { transactions, next } = page;
  const { fresh, cursor } = unseen(walk.cursor, transactions);
  const oldest = transactions.map(whenOf).findLast((at) => at !== undefined);
  const reached = isNewestFirst(transactions) ? oldest : undefined;
  const on: Walk = {
    page: walk.page + 1,
    next,
    count: walk.count + fresh.length,
    // What is bought meanwhile comes before the first page.
    total: walk.total ?? page.total,
    cursor,
    stale: transactions.length > 0 && fresh.length === 0 ? walk.stale + 1 : 0,
  };
  const end = endOf(on, page.hasMore, reached, limits);
  const times = [walk.cursor.lastAt, ...fresh.map(whenOf)].filter((at) => at !== undefined);
  return {
    walk: end === undefined ? on : { ...on, end: end === 'all' ? 'all' : 'cut' },
    fresh,
    reached,
    isRising: isRising(times),
    end,
  };
}

function endOf(
  { page, count, total = 0, stale }: Walk,
  hasMore: boolean,
  reached: number | undefined,
  { since = -Infinity, maxPages = Infinity, maxStale = MAX_STALE_PAGES }: Limits,
): Taken['end'] {
  if (reached !== undefined && reached < since) return 'all';
  if (!hasMore) return count < total ? 'some missing' : 'all';
  if (stale >= maxStale) return 'same page again';
  return page > maxPages ? 'most pages' : undefined;
}

/** Reads on from a place, page by page, to the end. Throws what the service throws. */
export async function* walkTransactions(
  hosting: Lists,
  limits: Limits,
  { from = NOT_BEGUN, priority = 'read' }: { from?: Walk; priority?: 'read' | 'bulk' } = {},
): AsyncGenerator<Taken, void> {
  let walk = from;
  for await (const page of pagesOf(hosting, from, priority)) {
    const taken = withPage(walk, page, limits);
    ({ walk } = taken);
    yield taken;
    if (taken.end !== undefined) return;
  }
}

/** Reads some pages on, so that people's calls come first. What was read is kept where a fault ends it early: it is given as `fault`. */
export async function readOn<Progress extends Walk>(
  hosting: Lists,
  from: Progress,
  take: (progress: Progress, page: TransactionPage) => Progress,
): Promise<{ progress: Progress; fault?: unknown }> {
  let progress = from;
  try {
    for await (const page of pagesOf(hosting, from, 'bulk')) {
      progress = take(progress, page);
      if (progress.end !== undefined || progress.page - from.page === PAGES_AT_A_TIME) break;
    }
    return { progress };
  } catch (fault) {
    return { progress, fault };
  }
}

function pagesOf(hosting: Lists, from: Walk, priority: 'read' | 'bulk'): AsyncGenerator<TransactionPage> {
  return walkPages((page, at) => hosting.listTransactions(page, PER_PAGE, { priority, at }), from);
}

/** Statuses of a 4xx that say nothing about the place that was asked for. */
const NOT_OF_THE_PLACE = [401, 403, 429];

/** Whether a fault means that the service may not know the place any more that it named, so that it is read from the start. Pure. */
export function isPlaceGone({ next }: Walk, fault: unknown): boolean {
  const status = fault instanceof HostingError ? (fault.status ?? 0) : 0;
  return next !== undefined && status >= 400 && status < 500 && !NOT_OF_THE_PLACE.includes(status);
}
