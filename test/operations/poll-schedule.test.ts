import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  longestPauseMs,
  pollPauseAfter,
  scheduleOf,
  spreadOf,
} from '../../src/core/operations/poll-times.ts';
import { TIMINGS } from '../../src/core/timings.ts';

const BOUNDS = { shortestMs: TIMINGS.pollEveryMs, longestMs: longestPauseMs(TIMINGS) };
/** Kinds of action as they were measured: median in seconds, and deviation of its logarithm. */
const KINDS = [
  [9, 0.3],
  [14, 0.4],
  [25, 0.35],
  [38, 0.3],
  [60, 0.4],
] as const;
type Kind = (typeof KINDS)[number];
/** What the cheapest polls cost for these kinds on average, were their times known exactly; a poll costs a second. */
const CHEAPEST = 5.79;

const samples = fc.array(fc.double({ min: 1, max: 600_000, noNaN: true }), { maxLength: 60 });

/** Times of a kind in ms, the same in every run. */
function drawer(): (kind: Kind) => number {
  let state = 1;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return ([median, deviation]) => {
    const gauss = Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
    return median * Math.exp(deviation * gauss) * 1_000;
  };
}

/** How many polls it takes until one sees the end, and how late that is. */
function pollUntilSeen(tookMs: number, gapOf: (ageMs: number) => number): { polls: number; lateMs: number } {
  let at = 0;
  let polls = 0;
  while (at < tookMs) {
    at += gapOf(at);
    polls += 1;
  }
  return { polls, lateMs: at - tookMs };
}

/** The average cost of seeing an end, once `known` earlier times of each kind have been seen. */
function measure(known: number): { polls: number; lateS: number; cost: number } {
  const draw = drawer();
  const ends = KINDS.flatMap((kind) =>
    Array.from({ length: 20 }).flatMap(() => {
      const gapOf = scheduleOf(spreadOf(Array.from({ length: known }, () => draw(kind))), BOUNDS);
      return Array.from({ length: 100 }, () => pollUntilSeen(draw(kind), gapOf));
    }),
  );
  const polls = ends.reduce((sum, one) => sum + one.polls, 0) / ends.length;
  const lateS = ends.reduce((sum, one) => sum + one.lateMs, 0) / ends.length / 1_000;
  return { polls, lateS, cost: polls + lateS };
}

describe('the pauses between polls', () => {
  it('keep within their bounds, whatever was seen and however old it is', () => {
    fc.assert(
      fc.property(samples, fc.double({ min: 0, max: 10_000_000, noNaN: true }), (known, ageMs) => {
        const gapMs = scheduleOf(spreadOf(known), BOUNDS)(ageMs);
        const mostMs = ageMs < 250 ? 2 * BOUNDS.longestMs : BOUNDS.longestMs;
        expect(gapMs).toBeGreaterThanOrEqual(BOUNDS.shortestMs);
        expect(gapMs).toBeLessThanOrEqual(mostMs);
      }),
      { numRuns: 50 },
    );
  });

  it('hang on what was seen, and not on its order or on what makes no sense', () => {
    fc.assert(
      fc.property(samples, (known) => {
        const spread = spreadOf(known);
        expect(Number.isFinite(spread.mean) && spread.deviation > 0).toBe(true);
        const turned = spreadOf([Number.NaN, -1, 0, Number.POSITIVE_INFINITY, ...known.toReversed()]);
        expect(turned.mean).toBeCloseTo(spread.mean, 6);
        expect(turned.deviation).toBeCloseTo(spread.deviation, 6);
      }),
    );
  });

  it('cost at most a tenth more than the cheapest after twenty, and not half as much more with none', () => {
    expect(measure(20).cost / CHEAPEST).toBeLessThanOrEqual(1.1);
    expect(measure(0).cost / CHEAPEST).toBeLessThanOrEqual(1.45);
  });

  it('take at most six tenths of the polls that a fixed 5 s does for about the same delay', () => {
    const draw = drawer();
    const fixed = KINDS.flatMap((kind) =>
      Array.from({ length: 2_000 }, () => pollUntilSeen(draw(kind), () => 5_000)),
    );
    const polls = fixed.reduce((sum, one) => sum + one.polls, 0) / fixed.length;
    const learned = measure(20);
    expect(learned.polls / polls).toBeLessThanOrEqual(0.6);
    expect(learned.lateS).toBeLessThanOrEqual(2.9);
  });

  it('see an end soon where nothing is known of its kind, be it a short one or a long one', () => {
    const gapOf = pollPauseAfter([], TIMINGS);
    for (let tookMs = 250; tookMs <= 120_000; tookMs += 250) {
      const { lateMs } = pollUntilSeen(tookMs, gapOf);
      expect(lateMs).toBeLessThanOrEqual(Math.max(TIMINGS.pollEveryMs, tookMs / 4));
      expect(lateMs).toBeLessThanOrEqual(10_000);
    }
  });

  it('come round to a kind that has become twice as fast', () => {
    const slow = Array.from({ length: 50 }, () => 40_000);
    const first = scheduleOf(spreadOf(slow), BOUNDS)(0);
    const after = scheduleOf(
      spreadOf([...Array.from({ length: 25 }, () => 20_000), ...slow.slice(25)]),
      BOUNDS,
    )(0);
    expect(after).toBeLessThan(first);
  });
});
