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
