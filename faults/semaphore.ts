/** So many at a time, the rest in the order they came: a busy machine makes a run longer and not emptier. */
export interface Semaphore {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createSemaphore(mostAtOnce: number): Semaphore {
  let free = mostAtOnce;
  const waiting: (() => void)[] = [];
  return {
    run: async (work) => {
      if (free > 0) free--;
      else await new Promise<void>((begin) => waiting.push(begin));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
  };
}
