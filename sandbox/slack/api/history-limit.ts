import type { ApiCall } from './calls.ts';
import type { SlackFault } from './faults.ts';

/**
 * How little of the history an app may read that is distributed outside of Slack's marketplace: in life one call a
 * minute for each method, of fifteen messages at most.
 */
export interface HistoryLimit {
  readonly everyMs: number;
  readonly perPage: number;
}

const METHODS = new Set(['conversations.history', 'conversations.replies']);

/** The 429 of a call that comes too soon after the last of its method that was answered. `clock` in ms. */
export function limitHistory(
  { everyMs }: HistoryLimit,
  clock: () => number,
): (call: Pick<ApiCall, 'method'>) => SlackFault | undefined {
  const lastAt = new Map<string, number>();
  return ({ method }) => {
    if (!METHODS.has(method)) return undefined;
    const waitMs = (lastAt.get(method) ?? Number.NEGATIVE_INFINITY) + everyMs - clock();
    if (waitMs > 0) return { retryAfterSeconds: Math.ceil(waitMs / 1_000) };
    lastAt.set(method, clock());
    return undefined;
  };
}
