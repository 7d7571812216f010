import { versionAfter } from '../../src/platform/redis/stored.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aheadAt, type Kept, type Known, learn, NO_CORRECTION } from '../../src/platform/redis/correction.ts';
import { RULE_RUNS } from '../support/runs.ts';

/** Two processes may have read it slowly, and what is not far above their difference is taken for time that one slept through. */
const OFF_MS = 5_000;
const MINUTE_MS = 60_000;

/** Several processes, and a Redis whose clock is set; times are in ms. */
function createWorld(count: number): {
  pass(ms: number): void;
  set(byMs: number): void;
  look(who: number, takesMs?: number): void;
  /** Its own clock stands still while time passes. */
  sleep(who: number, ms: number): void;
  restart(who: number): void;
  /** How far the time of each process that has looked is from what has really passed. */
  errors(): number[];
} {
  let [realMs, setMs] = [1_000_000_000, 0];
  let kept: Kept = { correction: NO_CORRECTION, version: '0', seenAt: 0 };
  const known: (Known | undefined)[] = Array.from({ length: count }, () => undefined);
  const sleptMs = known.map(() => 0);
  const own = (who: number): number => realMs - (sleptMs[who] ?? 0);
  const now = (who: number, one: Known): number => {
    const redisMs = one.reading.redisMs + own(who) - (one.reading.after + one.reading.before) / 2;
    return redisMs + aheadAt(redisMs, one.correction);
  };
  return {
    pass: (ms) => void (realMs += ms),
    set: (byMs) => void (setMs += byMs),
    look: (who, takesMs = 2) => {
      const [after, redisMs] = [own(who), realMs + setMs + takesMs];
      realMs += takesMs;
      let learned = learn(known[who], kept, { redisMs, after, before: own(who) }).known;
      if (!learned.isWritten) {
        learned = { ...learned, version: versionAfter(kept.version), isWritten: true };
        kept = { ...kept, version: learned.version, correction: learned.correction };
      }
      known[who] = learned;
      kept = { ...kept, seenAt: now(who, learned) };
    },
    sleep: (who, ms) => {
      realMs += ms;
      sleptMs[who] = (sleptMs[who] ?? 0) + ms;
    },
    restart: (who) => void (known[who] = undefined),
    errors: () => known.flatMap((one, who) => (one ? now(who, one) - realMs : [])),
  };
}

const step = fc.oneof(
  fc.record({ look: fc.nat(2), afterMs: fc.nat(5_000), takesMs: fc.nat(3_000) }),
  fc.record({ setMs: fc.integer({ min: -10 * MINUTE_MS, max: 10 * MINUTE_MS }) }),
  fc.record({ restart: fc.nat(2) }),
);

test("however Redis' clock is set, the time of all processes goes on alike and comes back to Redis' slowly", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const world = createWorld(3);
      [0, 1, 2].forEach((who) => world.look(who));
      let before = world.errors();
      for (const one of steps) {
        let passedMs = 0;
        if ('setMs' in one) {
          world.set(one.setMs);
          // Each of them looks often: settings that no process has seen the one of before the other are one.
          [0, 1, 2].forEach((who) => world.look(who));
        } else if ('restart' in one) {
          world.restart(one.restart);
          world.look(one.restart);
        } else {
          world.pass(one.afterMs);
          world.look(one.look, one.takesMs);
          passedMs = one.afterMs + one.takesMs;
        }
        const after = world.errors();
        const [error = 0] = before;
        for (const each of after)
          expect(Math.abs(each - error)).toBeLessThanOrEqual(OFF_MS + passedMs * 0.11);
        before = after;
      }
    }),
    { numRuns: RULE_RUNS },
  );
});

test('a process that slept while others looked learns that the clock was right', () => {
  const world = createWorld(2);
  [0, 1].forEach((who) => world.look(who));
  world.sleep(0, MINUTE_MS);
  world.look(1);
  world.look(0);
  world.look(1);
  expect(world.errors().map(Math.abs)).toEqual([expect.closeTo(0, -1), expect.closeTo(0, -1)]);
});

test('a clock that is set back while no process runs does not take the time back', () => {
  const world = createWorld(1);
  world.look(0);
  world.restart(0);
  world.set(-10 * MINUTE_MS);
  world.look(0);
  expect(Math.abs(world.errors()[0] ?? Number.NaN)).toBeLessThan(10);
});

test('the time is that of Redis again after ten times as long as its clock was set by', () => {
  const world = createWorld(1);
  world.look(0);
  world.set(-MINUTE_MS);
  world.look(0);
  for (let minutes = 0; minutes < 12; minutes += 1) {
    world.pass(MINUTE_MS);
    world.look(0);
  }
  expect(world.errors()[0]).toBeCloseTo(-MINUTE_MS, -2);
});

test('a clock that was years ahead and is right now is believed', () => {
  const world = createWorld(1);
  world.set(50 * 365 * 24 * 60 * MINUTE_MS);
  world.look(0);
  world.set(-50 * 365 * 24 * 60 * MINUTE_MS);
  world.look(0);
  expect(Math.abs(world.errors()[0] ?? Number.NaN)).toBeLessThan(10);
});
