import { describe, expect, it } from 'vitest';
import { kindsFrom, KINDS } from '../../faults/kinds.ts';
import { doubtsOf, faultsOf } from '../../faults/report.ts';
import { run, type RunResult } from '../../faults/run.ts';
import { FAMILIES, type Family, scheduleOf, USUAL_FAMILIES } from '../../faults/schedule.ts';
import { allOr, isChaos } from '../support/runs.ts';

interface Run {
  readonly seed: number;
  readonly families: readonly Family[];
  /** The release that runs at first, and is upgraded as its processes are killed. */
  readonly from?: string;
}

/** What the bots logged of faults, and last of all, to say why a run went wrong. */
function saidLast({ seed, tookMs, output }: RunResult): string {
  const lines = output.split('\n');
  const faults = lines.filter((line) => line.includes('"level":"error"') || line.includes('"level":"warn"'));
  return [
    `seed ${seed}, ${Math.round(tookMs / 1000)} s`,
    ...faults.slice(-MAX_LINES),
    ...lines.slice(-MAX_LINES),
  ].join('\n');
}

const usual = (seed: number): Run => ({ seed, families: USUAL_FAMILIES });
/** What docs/reliability.md promises of every commit, two at a time, since their ends are mostly waiting; one is quick. */
const RUNS = allOr<{ readonly together: readonly Run[] }>(
  [
    { together: [usual(1), { ...usual(2), from: '1.1.0' }] },
    { together: [usual(3), { ...usual(4), from: '1.0.0' }] },
    // Of the last, Slack takes no more posts and edits than in life.
    { together: [usual(5), { seed: 6, families: FAMILIES }] },
  ],
  { together: [usual(1)] },
);
const MAX_LINES = 20;
const ROUNDS = isChaos ? 120 : 30;
const EVERY_MS = 80;

describe('under random faults of processes, Redis, Slack and the hosting service', () => {
  it.each(RUNS)(
    'nothing is lost, doubled, false or sent twice: %j',
    async ({ together }) => {
      const results = await Promise.all(
        together.map(({ seed, families, from }) =>
          run(scheduleOf(seed, ROUNDS, EVERY_MS, families, kindsFrom(from, KINDS)), { from }),
        ),
      );
      for (const result of results) {
        const faults = faultsOf(result);
        expect(faults, `${JSON.stringify(faults)}\n${saidLast(result)}`).toEqual([]);
        expect(doubtsOf(result)).toEqual([]);
      }
    },
    900_000,
  );
});
