import { setTimeout as wait } from 'node:timers/promises';
import { asError } from '../log/log.ts';

/**
 * Waits for `work` at most `limitMs`; undefined when it isn't through by then or failed. What has arrived while the process
 * stood still is read first.
 */
export function atMost<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  return within<T | undefined>(limitMs, work, undefined);
}

/** The same, with `otherwise` in place of undefined. */
export function within<T>(limitMs: number, work: Promise<T>, otherwise: T): Promise<T> {
  return new Promise((done) => {
    const timer = setTimeout(() => setImmediate(() => done(otherwise)), limitMs);
    const end = (value: T): void => {
      clearTimeout(timer);
      done(value);
    };
    work.then(end, () => end(otherwise));
  });
}

/** Past this a work is reported, each time again. */
const MAX_WORK_MS = 10_000;

/**
 * Runs each of `works` again and again, with a pause of `everyMs` after each time, or of what that gives. None waits for another, or runs
 * beside itself; one that fails is given to `onError` and begun again, one that doesn't end within ten seconds is given to it as long as it
 * runs. Gives a function that stops them all.
 */
export function repeat(
  everyMs: number | (() => number),
  works: readonly (() => Promise<void>)[],
  onError: (error: Error) => void,
): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async (work: () => Promise<void>): Promise<void> => {
    const once = alone(work);
    while (!signal.aborted) {
      await onceWithinLimit(once).catch((error: unknown) => onError(asError(error)));
      const pauseMs = typeof everyMs === 'number' ? everyMs : everyMs();
      await wait(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  for (const work of works) void loop(work);
  return () => stopping.abort();
}

/** The same work, which never runs beside itself: who has it done while it is under way gets the end of that. */
export function alone(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

/** Does a work once. Throws what it throws, or an error once it has taken ten seconds. */
export async function onceWithinLimit(work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new Error(`a periodic work did not end within ${MAX_WORK_MS} ms`));
    timer = setTimeout(fail, MAX_WORK_MS);
  });
  try {
    await Promise.race([work(), tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
