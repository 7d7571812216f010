import type { Timings } from '../../core/timings.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import { HOUR_MS } from '../../platform/time/duration.ts';

/** Each pause between two failures is so many times as long as the one before, up to an hour. */
const LONGER_BY = 4;
const LONGEST_PAUSE_MS = HOUR_MS;
/** A service that takes no more requests is asked again after this, where it doesn't say when. */
const RATE_LIMIT_PAUSE_MS = 5_000;

/** Whether a fault means no more than that the service takes no more requests just now. */
export function isRateLimited(fault: unknown): fault is HostingError {
  return fault instanceof HostingError && fault.fault === 'rate-limited';
}

/**
 * How often a reading has failed in a row, after one more `fault`, and when it is tried again (Unix ms). That the service takes no more
 * requests just now is no failure. `failures`: those before it. Pure.
 */
export function afterFault(
  failures: number,
  fault: unknown,
  now: number,
  { billingRetryMs }: Pick<Timings, 'billingRetryMs'>,
): { readonly failures: number; readonly dueAt: number } {
  if (isRateLimited(fault)) return { failures, dueAt: now + (fault.retryAfterMs ?? RATE_LIMIT_PAUSE_MS) };
  const pauseMs = Math.min(LONGEST_PAUSE_MS, billingRetryMs * LONGER_BY ** failures);
  return { failures: failures + 1, dueAt: now + pauseMs };
}
