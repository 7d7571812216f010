import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { onTestFinished } from 'vitest';

/** How long a test of very many rounds may take on a machine that has other things to do. */
export const MAX_MS = 180_000;

/** Errors that nobody caught while the test runs; any one of them would end a real bot. */
export function watchForCrashes(): readonly unknown[] {
  const crashes: unknown[] = [];
  const note = (error: unknown): void => void crashes.push(error);
  process.on('unhandledRejection', note);
  process.on('uncaughtExceptionMonitor', note);
  onTestFinished(() => {
    process.off('unhandledRejection', note);
    process.off('uncaughtExceptionMonitor', note);
  });
  return crashes;
}

/** Whether some object's fields have come into every object. */
export function isPolluted(): boolean {
  const seen: string[] = [];
  for (const name in {}) seen.push(name);
  return seen.length > 0 || 'polluted' in {};
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // what --expose-gc names so

const MIB = 1024 * 1024;

/** Looking takes so much of the time at most: where other tests have left much in this process, it takes a while. */
const LOOK_SHARE = 0.5;

/** How many MiB more than before are held at the worst moment of `work`, and after it. */
export async function growthOf(
  work: () => Promise<unknown>,
  pollEveryMs = 100,
): Promise<{ worst: number; after: number }> {
  const held = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / MIB;
  };
  const before = held();
  let worst = before;
  let tookMs = 0;
  let timer: NodeJS.Timeout;
  const lookLater = (): void => {
    timer = setTimeout(look, Math.max(pollEveryMs, tookMs / LOOK_SHARE - tookMs));
  };
  const look = (): void => {
    const startedAt = performance.now();
    worst = Math.max(worst, held());
    tookMs = performance.now() - startedAt;
    lookLater();
  };
  lookLater();
  await work().finally(() => clearTimeout(timer));
  return { worst: worst - before, after: held() - before };
}
