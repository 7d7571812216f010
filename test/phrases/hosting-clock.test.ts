import { expect, it } from 'vitest';
import { hostingClock } from '../../sandbox/phrases/hosting-clock.ts';

const MIDNIGHT = Date.UTC(2026, 10, 23);

it.each([
  ['at noon', -12 * 3_600_000],
  ['a second before midnight', -1_000],
  ['at midnight', 0],
])('a run of five minutes that starts %s sees no midnight', (_when, offset) => {
  const startedAt = MIDNIGHT + offset;
  let now = startedAt;
  const clock = hostingClock(startedAt, () => now);
  const before = clock();
  now += 300_000;
  expect(clock() - before).toBe(300_000);
  expect(Math.floor(clock() / 86_400_000)).toBe(Math.floor(before / 86_400_000));
});
