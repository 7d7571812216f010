import { expect, test } from 'vitest';
import { HOUR } from './farewell-model.ts';
import { deaths, DEATHS, rollingRestarts } from './farewell-plays.ts';

// In farewell.chaos.test.ts for days, and hundreds of deaths.
test('while processes are replaced by others, and answers are lost, nothing is posted, and one always stands ahead', async () => {
  const { posted, leastAheadMs, pushes } = await rollingRestarts(1, 6 * HOUR);
  expect(posted).toBe(0);
  expect(leastAheadMs).toBeGreaterThan(0);
  // Every five minutes, and now and then once more after a lost answer.
  expect(pushes).toBeLessThan(150);
});

test.each(DEATHS)(
  'where %s at any moment, it stands within 20 minutes, twice only where that was between two calls, and once back the bot says so once',
  async (which) => {
    await deaths(which, [0, 1, 2, 3, 4]);
  },
);
