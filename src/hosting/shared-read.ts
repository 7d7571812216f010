/**
 * One call for everybody who asks while it is under way, and its answer again while it is fresh enough.
 * `freshMs` 0 never takes an answer that was complete before the question.
 */
export interface SharedRead<T> {
  get(freshMs: number, isLook: boolean): Promise<T>;
  /** Forgets the last answer, after a write. */
  forget(): void;
}

export function createSharedRead<T>(read: (isLook: boolean) => Promise<T>): SharedRead<T> {
  let underWay: Promise<T> | undefined;
  let generation = 0;
  let last: { value: T; readAt: number } | undefined;
  return {
    get: (freshMs, isLook) => {
      if (last && performance.now() - last.readAt < freshMs) return Promise.resolve(last.value);
      underWay ??= (async () => {
        const askedIn = generation;
        try {
          const value = await read(isLook);
          if (askedIn === generation) last = { value, readAt: performance.now() };
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
