import { setTimeout as wait } from 'node:timers/promises';

const POLL_EVERY_MS = 5;
/** Shorter than a test's own limit, so that what there was is told. */
const LIMIT_MS = 110_000;

/**
 * Resolves once it is so. For what tells nobody when it changes, as Redis or a log does; what looks without a pause takes the
 * core from what it waits for. Rejects shortly before the test's own limit,
 * with `seen`: what there was in place of it.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  seen: () => unknown = () => isSo.toString(),
): Promise<void> {
  const giveUpAt = performance.now() + LIMIT_MS;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`never so: ${String(seen())}`);
    await wait(POLL_EVERY_MS);
  }
}

/** Asks again until what comes is `right`; gives that. Rejects as `until` does, with what came last. */
export async function askUntil<T>(ask: () => Promise<T>, right: (answer: T) => boolean): Promise<T> {
  let answer: T;
  await until(
    async () => right((answer = await ask())),
    () => answer,
  );
  return answer!;
}
