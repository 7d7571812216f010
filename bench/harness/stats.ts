/** The median and the range of some figures. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The middle of some figures; the mean of the two in the middle where their number is even. NaN for none. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const half = sorted.length / 2;
  const upper = sorted[Math.floor(half)] ?? Number.NaN;
  return Number.isInteger(half) ? ((sorted[half - 1] ?? Number.NaN) + upper) / 2 : upper;
}

/** The smallest figure that is at least as large as this share (0 to 1) of all. NaN for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The median of some figures, the smallest and the largest. NaN for none. */
export function spreadOf(values: readonly number[]): Spread {
  return {
    median: median(values),
    min: values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    max: values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
  };
}

/** One list divided by another, pair by pair: the rounds of two variants that were measured one after the other. */
export function ratios(over: readonly number[], under: readonly number[]): Spread {
  return spreadOf(over.map((value, index) => value / (under[index] ?? Number.NaN)));
}
