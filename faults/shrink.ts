import type { CloudKind } from '../sandbox/clouds/cloud.ts';
import { kindsAt } from './ground.ts';
import { kindsFrom } from './kinds.ts';
import { faultsOf } from './report.ts';
import { type RedisKind, run } from './run.ts';
import { type Family, type Schedule, scheduleOf } from './schedule.ts';

/** What a run is drawn from. */
export interface Size {
  readonly seed: number;
  readonly rounds: number;
  readonly everyMs: number;
  readonly families: readonly Family[];
  /** The cloud that it is played at; undefined for the hosting company. */
  readonly service: CloudKind | undefined;
  /** What Redis is; undefined for one alone. */
  readonly redis: RedisKind | undefined;
  /** The release that is upgraded in it; undefined where it is today's version from the first. */
  readonly from?: string | undefined;
}

/** The schedule that is drawn from that. */
export function scheduleOfSize({ seed, rounds, everyMs, families, service, from }: Size): Schedule {
  return scheduleOf(seed, rounds, everyMs, families, kindsFrom(from, kindsAt(service)));
}

/**
 * Looks for a smaller run that still fails: families of faults left out one at a time, then fewer rounds. What hangs
 * on the processes' own timing may not fail again; then the size that failed is given.
 */
export async function shrink(size: Size, say: (line: string) => void): Promise<Size> {
  const stillFails = async (smaller: Size): Promise<boolean> => {
    const result = await run(scheduleOfSize(smaller), smaller);
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
  const at = size.service === undefined ? '' : ` --service ${size.service}`;
  const on = size.redis === undefined ? '' : ` --redis ${size.redis}`;
  return `npm run faults -- --seed ${size.seed} --ops ${size.rounds} --every ${size.everyMs} --only ${size.families.join(',')}${at}${on}${size.from === undefined ? '' : ` --from ${size.from}`}`;
}
