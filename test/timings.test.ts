import { expect, test } from 'vitest';
import { TIMINGS_OF_RUNS } from '../faults/run.ts';
import { TIMINGS } from '../src/core/timings.ts';
import { FAST } from './support/sandbox.ts';
import { QUICK } from './support/inject.ts';

test.each([
  ['the bot is shipped with', TIMINGS],
  ['tests use', { ...TIMINGS, ...FAST }],
  ['strikes use', { ...TIMINGS, ...QUICK }],
  ['runs of faults use', { ...TIMINGS, ...TIMINGS_OF_RUNS }],
])('in the waits that %s, nobody is taken for gone who may still be at it', (_whose, timings) => {
  expect(timings.recoverAfterMs).toBeGreaterThanOrEqual(timings.apiTimeoutMs + timings.sendWithinMs);
  expect(timings.findPostAfterMs).toBeGreaterThanOrEqual(timings.slackTimeoutMs + timings.sendWithinMs);
  expect(timings.settleMs).toBeGreaterThanOrEqual(timings.staleMs);
  expect(timings.acceptWithinMs).toBeGreaterThan(timings.recoverAfterMs);
});

test('where every worker is killed, work goes on within the 20 s that docs/reliability.md promises', () => {
  const { jobLockMs, stalledEveryMs, sweepEveryMs, recoverAfterMs } = TIMINGS;
  const promisedMs = 20_000;
  // What the queue runs, and what a process ran by itself.
  expect(jobLockMs + 2 * stalledEveryMs).toBeLessThanOrEqual(promisedMs);
  expect(recoverAfterMs + 2 * sweepEveryMs).toBeLessThanOrEqual(promisedMs);
});
