import { DAY_MS } from '../../../platform/time/duration.ts';
import type { z } from 'zod';
import type { TransactionPage } from '../../../platform/hosting/service.ts';
import { MAX_STALE_PAGES_OF_JOB, NOT_BEGUN, walkSchema, withPage as walkedOn } from '../transactions/walk.ts';
import { NO_SUMS, summed, sumsSchema } from './spend.ts';

/** How far the reading for one digest has come, and what it came to. */
export const progressSchema = walkSchema.extend({ thisWeek: sumsSchema, lastWeek: sumsSchema });
export type Progress = z.infer<typeof progressSchema>;

export const NOTHING_READ: Progress = { ...NOT_BEGUN, thisWeek: NO_SUMS, lastWeek: NO_SUMS };

const WEEK_MS = 7 * DAY_MS;
/** How much of the service's list one digest reads through. */
const MAX_PAGES = 2_000;

/** The progress with the page it is at; of the seven days before `dueAt` (Unix ms), and the seven before those. Pure. */
export function withPage(
  { thisWeek, lastWeek, ...before }: Progress,
  page: TransactionPage,
  dueAt: number,
): Progress {
  const since = dueAt - WEEK_MS;
  const { walk, fresh } = walkedOn(before, page, {
    since: since - WEEK_MS,
    maxPages: MAX_PAGES,
    maxStale: MAX_STALE_PAGES_OF_JOB,
  });
  return {
    ...walk,
    thisWeek: summed(thisWeek, fresh, { fromMs: since, toMs: dueAt }),
    lastWeek: summed(lastWeek, fresh, { fromMs: since - WEEK_MS, toMs: since }),
  };
}
