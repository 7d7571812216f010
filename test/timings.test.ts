import { expect, test } from 'vitest';
import { TIMINGS_OF_RUNS } from '../faults/run.ts';
import { recoverAfterMs } from '../src/core/operations/operations.ts';
import { stalledEveryMs } from '../src/platform/queue/worker.ts';
import { TIMINGS } from '../src/core/timings.ts';
import { FAST, IMPATIENCE } from './support/sandbox.ts';
import { QUICK } from './support/inject.ts';

test.each([
  ['the bot is shipped with', TIMINGS],
  ['tests use', { ...TIMINGS, ...FAST }],
  ['tests of what is lost use', { ...TIMINGS, ...FAST, ...IMPATIENCE }],
  ['strikes use', { ...TIMINGS, ...QUICK }],
  ['runs of faults use', { ...TIMINGS, ...TIMINGS_OF_RUNS }],
])('in the waits that %s, nobody is taken for gone who may still be at it', (_whose, timings) => {
  expect(recoverAfterMs(timings)).toBeGreaterThanOrEqual(timings.apiTimeoutMs + timings.sendWithinMs);
  expect(timings.findPostAfterMs).toBeGreaterThanOrEqual(timings.slackTimeoutMs + timings.sendWithinMs);
  expect(timings.settleMs).toBeGreaterThanOrEqual(timings.staleMs);
  expect(timings.acceptWithinMs).toBeGreaterThan(recoverAfterMs(timings));
});

test('where every worker is killed, work goes on within the 20 s that docs/reliability.md promises', () => {
  const { jobLockMs, sweepEveryMs } = TIMINGS;
  const promisedMs = 20_000;
  // What the queue runs, and what a process ran by itself.
  expect(jobLockMs + 2 * stalledEveryMs(TIMINGS)).toBeLessThanOrEqual(promisedMs);
  expect(recoverAfterMs(TIMINGS) + 2 * sweepEveryMs).toBeLessThanOrEqual(promisedMs);
});
