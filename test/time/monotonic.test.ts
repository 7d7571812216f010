import { expect, it } from 'vitest';
import { createMonotonic } from '../../src/platform/redis/clock.ts';

const HOUR_MS = 3_600_000;

/** A host whose clocks a test moves: all of them, all but the one that sleeps, or only the one on the wall. */
function createHost() {
  const clocks = { awakeMs: 5_000, wholeMs: 90_000, wallMs: Date.UTC(2026, 0, 1) };
  const now = createMonotonic(
    () => clocks.awakeMs,
    () => clocks.wholeMs,
    () => clocks.wallMs,
  );
  const sleep = (ms: number): void => {
    clocks.wholeMs += ms;
    clocks.wallMs += ms;
  };
  return {
    now,
    sleep,
    run: (ms: number) => {
      clocks.awakeMs += ms;
      sleep(ms);
    },
    setWall: (byMs: number) => (clocks.wallMs += byMs),
  };
}

it('goes on while the host runs, and while it sleeps', () => {
  const { now, run, sleep } = createHost();
  const begunAt = now();
  run(250);
  expect(now() - begunAt).toBe(250);
  sleep(HOUR_MS);
  expect(now() - begunAt).toBe(HOUR_MS + 250);
  run(250);
  sleep(2 * HOUR_MS);
  expect(now() - begunAt).toBe(3 * HOUR_MS + 500);
});

it('does not go on because somebody sets the wall clock', () => {
  const { now, run, setWall } = createHost();
  const begunAt = now();
  setWall(HOUR_MS);
  expect(now() - begunAt).toBe(0);
  setWall(-2 * HOUR_MS);
  run(10);
  expect(now() - begunAt).toBe(10);
});

it('counts a sleep after which the wall clock is set, and many short sleeps', () => {
  const { now, sleep, setWall } = createHost();
  const begunAt = now();
  sleep(HOUR_MS);
  setWall(-HOUR_MS / 2);
  expect(now() - begunAt).toBe(HOUR_MS);
  const before = now();
  for (let i = 0; i < 10; i++) {
    sleep(400);
    now();
  }
  expect(4_000 - (now() - before)).toBeLessThan(1_000);
});
