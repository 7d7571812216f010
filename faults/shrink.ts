import { faultsOf } from './report.ts';
import { run } from './run.ts';
import { type Family, scheduleOf } from './schedule.ts';

/** What a run is drawn from. */
export interface Size {
  readonly seed: number;
  readonly rounds: number;
  readonly everyMs: number;
  readonly families: readonly Family[];
}

/**
 * Looks for a smaller run that still fails: families of faults left out one at a time, then fewer rounds. What hangs
 * on the processes' own timing may not fail again; then the size that failed is given.
 */
export async function shrink(size: Size, say: (line: string) => void): Promise<Size> {
  const stillFails = async (smaller: Size): Promise<boolean> => {
    const result = await run(scheduleOf(smaller.seed, smaller.rounds, smaller.everyMs, smaller.families));
    const fails = faultsOf(result).length > 0;
    say(`  ${fails ? 'still fails' : 'does not fail'}: ${commandOf(smaller)}`);
    return fails;
  };
  let best = size;
  for (const family of size.families) {
    const smaller = { ...best, families: best.families.filter((one) => one !== family) };
    if (await stillFails(smaller)) best = smaller;
  }
  while (best.rounds > 1) {
    const smaller = { ...best, rounds: Math.ceil(best.rounds / 2) };
    if (smaller.rounds === best.rounds || !(await stillFails(smaller))) break;
    best = smaller;
  }
  return best;
}

/** The line that repeats a run. */
export function commandOf(size: Size): string {
  return `npm run faults -- --seed ${size.seed} --ops ${size.rounds} --every ${size.everyMs} --only ${size.families.join(',')}`;
}
