import { HostingError } from './hosting-error.ts';

/** What a service answers that has no such endpoint. */
const NOT_THERE: readonly (number | undefined)[] = [404, 405, 501];
const ASK_AGAIN_AFTER_MS = 3_600_000;

/** Whether the service said that it has no such endpoint. */
export function isNotOffered(error: unknown): boolean {
  return error instanceof HostingError && NOT_THERE.includes(error.status);
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
