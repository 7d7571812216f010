import type { Answer } from './answer.ts';

/** Never at once: a reset that has passed by our clock would make the call spin. */
export const SHORTEST_WAIT_MS = 1_000;
/** What a service asks for in so many words is kept up to an hour: people read when that is, and nobody calls before. */
const MAX_ASKED_MS = 3_600_000;
/** A reset may only mean that the whole budget is back by then: one call is possible long before. */
const MAX_RESET_MS = 120_000;

/**
 * How long a 429 asks us to wait, in ms: Retry-After in seconds or as a date, else X-RateLimit-Reset or
 * RateLimit-Reset, where a small number is a delta and a large one Unix seconds. Undefined when nothing says.
 */
export function parseRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const asked = parseRetryAfterHeader(headers, now);
  if (asked !== undefined) return asked;
  const reset = Number(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'] ?? Number.NaN);
  if (!Number.isFinite(reset)) return undefined;
  return within(reset < 1_000_000_000 ? reset * 1000 : reset * 1000 - now, MAX_RESET_MS);
}

/** Whether an answer says that too many calls were made: 429, or 403 where no call is left of some or that says when to come back. */
export function isLimitTold({ status, headers }: Pick<Answer, 'status' | 'headers'>): boolean {
  if (status !== 403) return status === 429;
  const of = (name: string): string | undefined =>
    (headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`])?.trim();
  const isUsedUp = of('remaining') === '0' && of('limit') !== '0';
  return isUsedUp || (headers['retry-after'] ?? '').trim() !== '';
}

/** What Retry-After alone says, in ms: with any other status than 429 a reset is no word on when to ask again. */
export function parseRetryAfterHeader(
  { 'retry-after': retryAfter }: Readonly<Record<string, string>>,
  now: number,
): number | undefined {
  if (retryAfter === undefined || retryAfter.trim() === '') return undefined;
  const seconds = Number(retryAfter);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter) - now;
  return Number.isFinite(waitMs) ? within(waitMs, MAX_ASKED_MS) : undefined;
}

function within(waitMs: number, longestMs: number): number {
  return Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), longestMs);
}
