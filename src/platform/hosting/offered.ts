import { HostingError } from './hosting-error.ts';

/** What a service answers that has no such endpoint. */
const NOT_THERE: readonly (number | undefined)[] = [404, 405, 501];
const ASK_AGAIN_AFTER_MS = 3_600_000;

/** What a service that has no such endpoint would answer, where its adapter says so already. */
export function notOffered(doing: string): HostingError {
  return new HostingError(doing, { fault: 'not-found', outcome: 'not-done', retryable: false, status: 404 });
}

/** Whether the service said that it has no such endpoint: a page of something in front of it says nothing. */
export function isNotOffered(error: unknown): boolean {
  return error instanceof HostingError && error.fault !== 'unclear' && NOT_THERE.includes(error.status);
}

/**
 * A read that the service may not offer: undefined where it says so, and not asked again for an hour. Once it was offered,
 * the same answer is a fault and thrown.
 */
export function createOfferedRead<T, Args extends unknown[]>(
  read: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T | undefined> {
  let wasOffered = false;
  let refusedAt = Number.NEGATIVE_INFINITY;
  return async (...args) => {
    if (performance.now() - refusedAt < ASK_AGAIN_AFTER_MS) return undefined;
    try {
      const value = await read(...args);
      wasOffered = true;
      return value;
    } catch (error) {
      if (wasOffered || !isNotOffered(error)) throw error;
      refusedAt = performance.now();
      return undefined;
    }
  };
}

/** What a read gives; undefined where the service knows nothing of it. */
export async function orNotFound<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof HostingError && error.fault === 'not-found') return undefined;
    throw error;
  }
}
