import { describe, expect, it } from 'vitest';
import { doubtsOf, faultsOf } from '../../faults/report.ts';
import { run } from '../../faults/run.ts';
import { FAMILIES, type Family, scheduleOf, USUAL_FAMILIES } from '../../faults/schedule.ts';
import { allOr, isChaos } from '../support/runs.ts';

interface Runs {
  readonly seeds: readonly number[];
  readonly families: readonly Family[];
}

/** What the bots logged of faults, to say why a run went wrong. */
function errorsIn({ output }: { readonly output: string }): string {
  const lines = output.split('\n').filter((line) => line.includes('"level":"error"'));
  return lines.slice(-MAX_LINES).join('\n');
}

/** What docs/reliability.md promises of every commit, two at a time, since their ends are mostly waiting; one is quick. */
const RUNS: readonly Runs[] = allOr<Runs>(
  [
    { seeds: [1, 2], families: USUAL_FAMILIES },
    { seeds: [3, 4], families: USUAL_FAMILIES },
    { seeds: [5], families: USUAL_FAMILIES },
    // Slack takes no more posts and edits than in life.
    { seeds: [6], families: FAMILIES },
  ],
  { seeds: [1], families: USUAL_FAMILIES },
);
const MAX_LINES = 20;
const ROUNDS = isChaos ? 120 : 30;
const EVERY_MS = 80;

describe('under random faults of processes, Redis, Slack and the hosting service', () => {
  it.each(RUNS)(
    'nothing is lost, doubled, false or sent twice: %j',
    async ({ seeds, families }) => {
      const results = await Promise.all(
        seeds.map((seed) => run(scheduleOf(seed, ROUNDS, EVERY_MS, families))),
      );
      for (const result of results) {
        const faults = faultsOf(result);
        expect(faults, `${JSON.stringify(faults)}\n${errorsIn(result)}`).toEqual([]);
        expect(doubtsOf(result)).toEqual([]);
      }
    },
    480_000,
  );
});
