// The inspection problem (Barlow and Proschan): when to look at something that ends at a random moment, so that looks and
// the delay until the end is noticed cost least together. Times in seconds.

/** Durations that are equally likely, in ascending order. */
export type Durations = readonly number[];

/** What a schedule of looks comes to. */
export interface Cost {
  /** Looks until the end is seen. */
  readonly calls: number;
  /** From the end until it is seen. */
  readonly meanDelayS: number;
  readonly p95DelayS: number;
}

const STEP_S = 0.1;

/** Pure: durations of a log-normal distribution, one for each of so many equal shares. */
export function logNormal(medianS: number, sigma: number, count = 2_000): Durations {
  return Array.from(
    { length: count },
    (_, index) => medianS * Math.exp(sigma * quantile((index + 0.5) / count)),
  );
}

/** Pure: the moments of looking that minimise looks times `costOfCall` plus the mean delay, on a grid of a tenth of a second. */
export function optimalLooks(durations: Durations, costOfCall: number): readonly number[] {
  const last = Math.ceil((durations.at(-1) ?? 0) / STEP_S) + 1;
  // How many end before each moment of the grid, and the sum of when.
  const ended = new Float64Array(last + 1);
  const sums = new Float64Array(last + 1);
  let at = 0;
  let sum = 0;
  for (let index = 0; index <= last; index++) {
    while (at < durations.length && (durations[at] ?? 0) <= index * STEP_S + 1e-9)
      sum += durations[at++] ?? 0;
    ended[index] = at;
    sums[index] = sum;
  }
  const costs = new Float64Array(last + 1);
  const nexts = new Int32Array(last + 1);
  const of = (array: Float64Array, index: number): number => array[index] ?? 0;
  for (let from = last - 1; from >= 0; from--) {
    let best = Number.POSITIVE_INFINITY;
    const call = costOfCall * (durations.length - of(ended, from));
    for (let to = from + 1; to <= last; to++) {
      const delay = to * STEP_S * (of(ended, to) - of(ended, from)) - (of(sums, to) - of(sums, from));
      const cost = call + delay + of(costs, to);
      if (cost < best) {
        best = cost;
        nexts[from] = to;
      }
      // A later look only adds delay from here on.
      if (call + delay > best) break;
    }
    costs[from] = best;
  }
  const looks: number[] = [];
  // Who looks where nothing is left has looked once too often.
  for (let index = 0; of(ended, index) < durations.length;) {
    index = nexts[index] ?? last;
    looks.push(index * STEP_S);
  }
  return looks;
}

/** Pure: the moments of looking at a fixed interval, until the longest duration is over. */
export function fixedLooks(durations: Durations, everyS: number): readonly number[] {
  const count = Math.ceil((durations.at(-1) ?? 0) / everyS);
  return Array.from({ length: count }, (_, index) => (index + 1) * everyS);
}

/** Pure: how many looks each duration takes, and its delay. Throws where the looks end before the longest duration. */
function delaysOf(durations: Durations, looks: readonly number[]): { calls: number[]; delaysS: number[] } {
  let next = 0;
  const calls: number[] = [];
  const delaysS: number[] = [];
  for (const duration of durations) {
    while ((looks[next] ?? Number.POSITIVE_INFINITY) < duration - 1e-9) next += 1;
    const seenAt = looks[next];
    if (seenAt === undefined) throw new Error(`nobody looks after ${duration} s`);
    calls.push(next + 1);
    delaysS.push(Math.max(0, seenAt - duration));
  }
  return { calls, delaysS };
}

/** Pure: the cost of several kinds together, each with durations of its own and looks of its own. */
export function costOf(kinds: readonly { durations: Durations; looks: readonly number[] }[]): Cost {
  const all = kinds.map(({ durations, looks }) => delaysOf(durations, looks));
  const calls = all.flatMap((one) => one.calls);
  const delaysS = all.flatMap((one) => one.delaysS).toSorted((one, other) => one - other);
  const mean = (values: readonly number[]): number =>
    values.reduce((total, value) => total + value, 0) / values.length;
  return {
    calls: mean(calls),
    meanDelayS: mean(delaysS),
    p95DelayS: delaysS[Math.ceil(0.95 * delaysS.length) - 1] ?? Number.NaN,
  };
}

/** Pure: the quantile of the standard normal distribution, by bisection of its distribution function. */
function quantile(share: number): number {
  let [low, high] = [-8, 8];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (normal(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The standard normal distribution function, after Abramowitz and Stegun 7.1.26: right to seven digits. */
function normal(x: number): number {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * z);
  const poly =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const erf = 1 - poly * Math.exp(-z * z);
  return x >= 0 ? (1 + erf) / 2 : (1 - erf) / 2;
}
