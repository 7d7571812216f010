import type { Answer } from './answer.ts';

/** Never at once: a reset that has passed by our clock would make the call spin. */
export const SHORTEST_WAIT_MS = 1_000;
/** What a service asks for in so many words is kept up to an hour: people read when that is, and nobody calls before. */
const MAX_ASKED_MS = 3_600_000;
/** A reset may only mean that the whole budget is back by then: one call is possible long before. */
const MAX_RESET_MS = 120_000;
/** What is further away than these is in another unit, or by another clock: it says nothing. */
const FURTHEST_RESET_MS = 3_600_000;
const FURTHEST_ASKED_MS = 24 * 3_600_000;

/**
 * How long a limit asks us to wait, in ms: Retry-After, else X-RateLimit-Reset or RateLimit-Reset, each in seconds or as a date. A
 * small number is a delta, a large one a Unix time in seconds or milliseconds. Undefined when nothing says that can be believed.
 */
export function parseRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const resets = [headers['x-ratelimit-reset'], headers['ratelimit-reset']].map((text) => msUntil(text, now));
  return parseRetryAfterHeader(headers, now) ?? within(resets.find(isUpTo(FURTHEST_RESET_MS)), MAX_RESET_MS);
}

/** Whether an answer says that too many calls were made: 429, or 403 where no call is left of some or that says when to come back. */
export function isLimitTold({ status, headers }: Pick<Answer, 'status' | 'headers'>): boolean {
  if (status !== 403) return status === 429;
  const of = (name: string): string | undefined =>
    (headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`])?.trim();
  const isUsedUp = of('remaining') === '0' && of('limit') !== '0';
  return isUsedUp || (headers['retry-after'] ?? '').trim() !== '';
}

/** What Retry-After alone says, in ms: with any other status than a limit's a reset is no word on when to ask again. */
export function parseRetryAfterHeader(
  { 'retry-after': retryAfter = '' }: Readonly<Record<string, string>>,
  now: number,
): number | undefined {
  return within([msUntil(retryAfter, now)].find(isUpTo(FURTHEST_ASKED_MS)), MAX_ASKED_MS);
}

/** How many ms a date says, or a number: a delta in seconds, or a Unix time, in milliseconds where it would be far off. NaN is none, too. */
function msUntil(text = '', now: number): number | undefined {
  // Without a time of day a parser of dates takes much for one, as "5, 5".
  if (text.includes(':')) return Date.parse(text) - now;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(number)) return undefined;
  if (number < 1e9) return number * 1000;
  return (number < 1e11 ? number * 1000 : number) - now;
}

function isUpTo(furthestMs: number): (waitMs: number | undefined) => waitMs is number {
  return (waitMs): waitMs is number => waitMs !== undefined && waitMs <= furthestMs;
}

function within(waitMs: number | undefined, longestMs: number): number | undefined {
  return waitMs === undefined ? undefined : Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), longestMs);
}
