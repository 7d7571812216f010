import { describe, expect, it } from 'vitest';
import { doubtsOf, faultsOf } from '../../faults/report.ts';
import { run } from '../../faults/run.ts';
import { FAMILIES, scheduleOf } from '../../faults/schedule.ts';

/** What docs/reliability.md promises of every commit: five seeds, six hundred instances asked about. */
/** Two at a time: their ends are mostly waiting. */
const SEEDS = [[1, 2], [3, 4], [5]];
const ROUNDS = 120;
const EVERY_MS = 80;

describe('under random faults of processes, Redis, Slack and the hosting service', () => {
  it.each(SEEDS)(
    'nothing is lost, doubled, false or sent twice: seeds %j',
    async (...seeds) => {
      const results = await Promise.all(
        seeds.map((seed) => run(scheduleOf(seed, ROUNDS, EVERY_MS, FAMILIES))),
      );
      for (const result of results) {
        expect(faultsOf(result)).toEqual([]);
        expect(doubtsOf(result)).toEqual([]);
      }
    },
    180_000,
  );
});
