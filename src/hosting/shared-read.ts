/**
 * One call for everybody who asks while it is under way, and its answer again while it is fresh enough.
 * `freshMs` 0 never takes an answer that was complete before the question.
 */
export interface SharedRead<T> {
  get(freshMs: number): Promise<T>;
  /** Forgets the last answer, after a write. */
  forget(): void;
}

export function createSharedRead<T>(read: () => Promise<T>): SharedRead<T> {
  let underWay: Promise<T> | undefined;
  let generation = 0;
  let last: { value: T; askedAt: number } | undefined;
  return {
    get: (freshMs) => {
      if (last && performance.now() - last.askedAt < freshMs) return Promise.resolve(last.value);
      underWay ??= (async () => {
        const askedAt = performance.now();
        const askedIn = generation;
        try {
          const value = await read();
          if (askedIn === generation) last = { value, askedAt };
          return value;
        } finally {
          if (askedIn === generation) underWay = undefined;
        }
      })();
      return underWay;
    },
    forget: () => {
      generation += 1;
      last = undefined;
      underWay = undefined;
    },
  };
}
