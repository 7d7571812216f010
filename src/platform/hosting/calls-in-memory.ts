/** A part of a budget: so many calls in so long. */
export interface Part {
  readonly name: string;
  readonly most: number;
  readonly windowMs: number;
}

/** Calls as one process counts them for itself, while Redis is away. */
export interface CallsInMemory {
  /** Counts a call in each of `parts` and gives 0, or how long (ms) until each has room for it. */
  take(parts: readonly Part[]): number;
  pause(waitMs: number): void;
}

export function createCallsInMemory(): CallsInMemory {
  const calls = new Map<string, number[]>();
  let pausedUntil = 0;
  return {
    take: (parts) => {
      const now = performance.now();
      let waitMs = Math.max(0, pausedUntil - now);
      for (const { name, most, windowMs } of parts) {
        const recent = calls.get(name) ?? [];
        calls.set(name, recent);
        const first = recent.findIndex((at) => at > now - windowMs);
        recent.splice(0, first === -1 ? recent.length : first);
        const leaving = recent[recent.length - most];
        if (leaving !== undefined) waitMs = Math.max(waitMs, leaving + windowMs - now);
      }
      if (waitMs === 0) for (const { name } of parts) calls.get(name)?.push(now);
      return Math.ceil(waitMs);
    },
    pause: (waitMs) => {
      pausedUntil = Math.max(pausedUntil, performance.now() + waitMs);
    },
  };
}
