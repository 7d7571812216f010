import { setTimeout as wait } from 'node:timers/promises';
import { asError } from '../log/as-error.ts';

/** Past this a work counts as one that never ends, and is begun again. */
const MAX_WORK_MS = 10_000;

/**
 * Runs each of `works` again and again, with a pause of `everyMs` after each time, or of what that gives. None waits for another; one that
 * fails, or doesn't end within ten seconds, is given to `onError` and begun again. Gives a function that stops them all.
 */
export function repeat(
  everyMs: number | (() => number),
  works: readonly (() => Promise<void>)[],
  onError: (error: Error) => void,
): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async (work: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) {
      await onceWithinLimit(work).catch((error: unknown) => onError(asError(error)));
      const pauseMs = typeof everyMs === 'number' ? everyMs : everyMs();
      await wait(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  for (const work of works) void loop(work);
  return () => stopping.abort();
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
