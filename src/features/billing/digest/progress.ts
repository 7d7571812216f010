import { DAY_MS } from '../../../platform/time/duration.ts';
import { z } from 'zod';
import type { TransactionPage } from '../../../platform/hosting/service.ts';
import { isNewestFirst, START, cursorSchema, unseen, whenOf } from '../transactions/page-cursor.ts';
import { NO_SUMS, summed, sumsSchema } from './spend.ts';

/**
 * How far the reading for one digest has come, as it is kept in Redis: the process that takes it up after a pause or a crash goes
 * on with the next page and reads nothing again.
 */
export const progressSchema = z.object({
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
  thisWeek: sumsSchema,
  lastWeek: sumsSchema,
  /** Set once nothing more is to be read: all of both weeks was, or as much as is read at most. */
  end: z.enum(['all', 'cut']).optional(),
});
export type Progress = z.infer<typeof progressSchema>;

export const NOTHING_READ: Progress = {
  page: 1,
  count: 0,
  cursor: START,
  stale: 0,
  thisWeek: NO_SUMS,
  lastWeek: NO_SUMS,
};

const WEEK_MS = 7 * DAY_MS;
/** How much of the service's list one digest reads through. */
const MAX_PAGES = 2_000;
/** Pages without anything new, one after another, before the service is taken to go round in circles. */
const MAX_STALE_PAGES = 50;

/** The progress with the page it is at; of the seven days before `dueAt` (Unix ms), and the seven before those. Pure. */
export function withPage(
  progress: Progress,
  { transactions, hasMore, next: place, total }: TransactionPage,
  dueAt: number,
): Progress {
  const { fresh, cursor } = unseen(progress.cursor, transactions);
  const since = dueAt - WEEK_MS;
  const stale = transactions.length > 0 && fresh.length === 0 ? progress.stale + 1 : 0;
  const next: Progress = {
    page: progress.page + 1,
    next: place,
    count: progress.count + fresh.length,
    cursor,
    stale,
    thisWeek: summed(progress.thisWeek, fresh, { fromMs: since, toMs: dueAt }),
    lastWeek: summed(progress.lastWeek, fresh, { fromMs: since - WEEK_MS, toMs: since }),
  };
  const oldest = transactions.map(whenOf).findLast((at) => at !== undefined);
  if (isNewestFirst(transactions) && oldest !== undefined && oldest < since - WEEK_MS)
    return { ...next, end: 'all' };
  if (!hasMore) return { ...next, end: total !== undefined && next.count < total ? 'cut' : 'all' };
  return stale >= MAX_STALE_PAGES || progress.page >= MAX_PAGES ? { ...next, end: 'cut' } : next;
}
