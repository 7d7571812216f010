import { describe, expect, it } from 'vitest';
import { doubtsOf, faultsOf } from '../../faults/report.ts';
import { run } from '../../faults/run.ts';
import { FAMILIES, scheduleOf } from '../../faults/schedule.ts';
import { allOr, isChaos } from '../support/runs.ts';

/** What docs/reliability.md promises of every commit, two at a time, since their ends are mostly waiting; one is quick. */
const SEEDS = allOr([[1, 2], [3, 4], [5]], [1]);
const ROUNDS = isChaos ? 120 : 30;
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
