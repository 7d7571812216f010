import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPublishPace } from '../../src/features/lamplighter/publish-pace.ts';

/** Asks again and again for so many steps, and gives when each was let through. */
function walk(stepsMs: readonly number[], slowAt = -1): number[] {
  let now = 1_000_000;
  const pace = createPublishPace(() => now);
  return stepsMs.flatMap((stepMs, index) => {
    now += stepMs;
    if (index === slowAt) pace.slowDown();
    return pace.take() ? [now] : [];
  });
}

test('never more than a hundred Homes go out in a minute, however often they change', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 200, maxLength: 600 }), (steps) => {
      const sent = walk(steps);
      for (const at of sent) {
        const within = sent.filter((one) => one > at - 60_000 && one <= at);
        expect(within.length).toBeLessThanOrEqual(100);
      }
    }),
  );
});

test('many go out at once after a quiet time, and one a second after Slack took no more', () => {
  expect(walk(Array.from({ length: 40 }, () => 0))).toHaveLength(40);
  const slowed = walk(
    Array.from({ length: 30 }, () => 100),
    0,
  );
  expect(slowed.length).toBeLessThanOrEqual(3);
  expect(slowed.length).toBeGreaterThan(1);
});
