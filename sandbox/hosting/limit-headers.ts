import type { Allowance } from './rate-limit.ts';
import type { Variant } from './variant.ts';

type Headers = Readonly<Record<string, string>>;

/** The headers with which every answer tells where the key stands in its minute. */
export function limitHeaders(allowance: Allowance, now: number, variant: Variant): Headers {
  const { limit, remaining, resetAt } = allowance;
  if (variant.limitHeaders === 'absent') return {};
  if (variant.limitHeaders === 'RateLimit with seconds left') {
    const secondsLeft = Math.max(0, resetAt - Math.floor(now / 1000));
    return {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(secondsLeft),
    };
  }
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetAt),
  };
}

/** Retry-After, as seconds or as a date. */
export function retryAfterHeader(seconds: number | undefined, now: number, variant: Variant): Headers {
  if (seconds === undefined || variant.retryAfter === 'absent') return {};
  if (variant.retryAfter !== 'date') return { 'Retry-After': String(seconds) };
  return { 'Retry-After': new Date(now + seconds * 1000).toUTCString() };
}
