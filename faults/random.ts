/** Numbers that look random and come again for the same seed. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(of: readonly T[]): T;
  /** A stream of its own, so that one part's draws don't shift another's. */
  fork(name: string): Random;
}

/** Mulberry32, a 32-bit generator: small, quick and good enough to choose faults with. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    pick: (of) => {
      const picked = of[Math.floor(next() * of.length)];
      if (picked === undefined) throw new Error('picking from nothing');
      return picked;
    },
    fork: (name) =>
      createRandom(
        [...name].reduce((hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619), seed),
      ),
  };
}
