import { expect, test } from 'vitest';
import { HOUR, MINUTE, Model } from './farewell-model.ts';
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

test('where it is pushed forward twice in one second, the bot says all the same that it is back', async () => {
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
    const model = new Model(seed, { lostAnswers: 0, notDone: 0 });
    const one = model.start();
    while (model.pending.length === 0) await model.time.pass(10);
    await Promise.race([model.stop(one), model.time.pass(10_000)]);
    await model.time.pass(30 * MINUTE);
    model.start();
    await model.time.pass(HOUR);
    expect([seed, model.standing.length, model.replies.size]).toEqual([seed, 1, 1]);
  }
});
