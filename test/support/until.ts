import { setTimeout as wait } from 'node:timers/promises';

const POLL_EVERY_MS = 5;

/**
 * Resolves once it is so. For what tells nobody when it changes, as Redis or a log does; what looks without a pause takes the
 * core from what it waits for.
 */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(POLL_EVERY_MS);
}
