/** Where one key stands in its minute. `resetAt` is in Unix seconds, as the header has it. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
  readonly exceeded: boolean;
  readonly retryAfterSeconds: number;
}

/**
 * Counts requests for each key in windows, which begin with a key's first request. A
 * refused request isn't counted: a client that waits as asked gets a whole new window.
 */
export function createRateLimit(limit: number, windowMs = 60_000): (key: string, now: number) => Allowance {
  const windows = new Map<string, { endsAt: number; used: number }>();
  return (key, now) => {
    let window = windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      window = { endsAt: now + windowMs, used: 0 };
      windows.set(key, window);
    }
    const exceeded = window.used >= limit;
    if (!exceeded) window.used += 1;
    return {
      limit,
      remaining: limit - window.used,
      resetAt: Math.ceil(window.endsAt / 1000),
      exceeded,
      retryAfterSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)),
    };
  };
}
