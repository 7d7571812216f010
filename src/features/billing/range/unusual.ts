import { type Fits, offBest, type SeenDay } from './models.ts';

/**
 * Days on which something cost far more than usual, a few in a row at most. How often that happens, and how much it costs, few days
 * tell little of: so it is told apart from what is usual, and each future has it as often and as much as the days allow.
 */
export interface Unusual {
  /** What each such episode cost beyond what is usual, in parts of the mean cost. */
  readonly excesses: readonly number[];
  /** The days in which they were seen. */
  readonly days: number;
}

/** So many robust standard deviations above what is usual. */
const SPREADS = 3;
/** The middle of what lies off the middle is so much of a standard deviation. */
const NORMAL_MIDDLE = 0.6745;
/** Less than that part of the mean cost is nothing unusual, however quiet the days are. */
const LEAST_EXCESS = 0.2;
/** What lasts longer has changed the level. */
const MAX_RUN_DAYS = 5;
/** Before anything is seen: every second account has them, one in so many days, each as expensive as so many more days. */
const DAYS_BETWEEN = 15;
const EXCESS_BEFORE = 3;

/** The episodes among days, oldest first, by the model that tells these best. Pure. */
export function findUnusual(seen: readonly SeenDay[], fits: Fits): SeenDay[][] {
  const off = offBest(fits);
  if (!off) return [];
  const spreads = seen.map((one) => off(one).spreads);
  const usual = middle(spreads);
  const limit = usual + (SPREADS / NORMAL_MIDDLE) * middle(spreads.map((one) => Math.abs(one - usual)));
  const runs: SeenDay[][] = [];
  seen.forEach((day, index) => {
    if ((spreads[index] ?? 0) <= limit || off(day).excess < LEAST_EXCESS) return;
    const goesOn = index > 0 && runs.at(-1)?.at(-1) === seen[index - 1];
    if (goesOn) runs.at(-1)?.push(day);
    else runs.push([day]);
  });
  const short = runs.filter((run) => run.length <= MAX_RUN_DAYS);
  // What goes on still, where nothing like that has ended before, may have changed the level.
  return short.length > 1 ? short : short.filter((run) => run.at(-1) !== seen.at(-1));
}

/**
 * What unusual a day costs in one future, in parts of the mean cost: nothing on most days. How often there is something is distributed
 * as Poisson, and what it costs exponentially; both means are drawn, each as far as the days tell it.
 */
export function drawUnusual({ excesses, days }: Unusual, chance: Chance): () => number {
  const noneIfAny = DAYS_BETWEEN / (DAYS_BETWEEN + days);
  const isAny = excesses.length > 0 || chance.next() * (1 + noneIfAny) < noneIfAny;
  if (!isAny) return () => 0;
  const count = excesses.length + 1;
  const perDay = (count * gammaShare(count, chance)) / (days + DAYS_BETWEEN);
  const all = excesses.reduce((total, one) => total + one, EXCESS_BEFORE);
  const each = all / count / Math.max(0.1, gammaShare(count, chance));
  return () => (chance.next() < perDay ? -Math.log(1 - chance.next()) * each : 0);
}

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}

/** Numbers that look random and are the same for the same seed, so that the same figures give the same range. */
export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** Normally distributed about 0 with a standard deviation of 1. */
  normal(): number;
}

/** Mulberry32; the normal ones by Box and Muller. `seed`: a whole number. */
export function createChance(seed: number): Chance {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}

/** Distributed as gamma of this shape, over its mean, as Wilson and Hilferty near it: 1 in the middle, nearly. */
export function gammaShare(shape: number, chance: Chance): number {
  const part = 1 / (9 * shape);
  return Math.max(0, 1 - part + chance.normal() * Math.sqrt(part)) ** 3;
}
