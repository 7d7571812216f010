/** Requests that each count for the length of the window from their own moment on. */
export interface SlidingWindow {
  left(now: number): number;
  take(now: number): void;
  /** When the oldest request stops counting, in Unix milliseconds; now, if none counts. */
  freesAt(now: number): number;
}

/** A budget that is refilled steadily up to its capacity. */
export interface Bucket {
  left(now: number): number;
  take(now: number): void;
  /** When it is full again, in Unix milliseconds. */
  fullAt(now: number): number;
}

export function createSlidingWindow(limit: number, windowMs: number): SlidingWindow {
  let times: number[] = [];
  const drop = (now: number): void => {
    times = times.filter((at) => at + windowMs > now);
  };
  return {
    left(now) {
      drop(now);
      return Math.max(0, limit - times.length);
    },
    take: (now) => void times.push(now),
    freesAt(now) {
      drop(now);
      const [oldest] = times;
      return oldest === undefined ? now : oldest + windowMs;
    },
  };
}

export function createBucket(capacity: number, refillPerSecond: number): Bucket {
  let level = capacity;
  let filledAt: number | undefined;
  const fill = (now: number): void => {
    const passedMs = filledAt === undefined ? 0 : Math.max(0, now - filledAt);
    level = Math.min(capacity, level + (passedMs / 1000) * refillPerSecond);
    filledAt = now;
  };
  return {
    left(now) {
      fill(now);
      return Math.floor(level);
    },
    take(now) {
      fill(now);
      level = Math.max(0, level - 1);
    },
    fullAt(now) {
      fill(now);
      return now + ((capacity - level) / refillPerSecond) * 1000;
    },
  };
}
