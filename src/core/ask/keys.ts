import { key } from '../../platform/redis/key.ts';

/** How long what stands of one request is kept. */
export const REQUEST_KEPT_MS = 3_600_000;

export const requestKeys = {
  /** What a person asked for, until it has been answered or begun. */
  request: (requestId: string): string => key('request', requestId),
  /** Sorted set: request id by the time it was written down. */
  open: key('requests', 'open'),
  /** That a run has taken a request up, which may have carried it out; a mark of the last one, or of what came of it. */
  taken: (requestId: string): string => key('taken', requestId),
} as const;
