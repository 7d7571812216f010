/**
 * Bayesian linear regression, in floats: it is statistics, and nothing of it is shown as an amount before it is rounded.
 * The coefficients are about zero before anything is seen, each as far from it as its prior variance says.
 */
export interface Regression {
  /** The coefficients that are most likely. */
  readonly mean: readonly number[];
  /** Lower triangle by which independent normal numbers become a draw of the coefficients, for a noise of 1. */
  readonly spread: readonly (readonly number[])[];
  /** The noise's standard deviation. */
  readonly noise: number;
  /** By how many observations the noise is known. */
  readonly freedom: number;
  /** How many coefficients the observations have settled: fewer than there are, where the prior holds some. */
  readonly settled: number;
  /** The logarithm of how likely the observations are under this model, up to what all models of them share. */
  readonly evidence: number;
}

/** What the noise is taken for before anything is seen, and how many observations that counts as. */
const NOISE_BEFORE = 0.05;
const FREEDOM_BEFORE = 2;

/**
 * Fits `targets` by the `rows` of features. `variances`: of each coefficient before anything is seen; all rows and
 * `variances` have one length. Pure.
 */
export function fitRegression(
  rows: readonly (readonly number[])[],
  targets: readonly number[],
  variances: readonly number[],
): Regression {
  const sums = sumsOf(rows, targets, variances.length);
  // Variances are relative to the noise in the formulas, so a first fit tells about how large it is.
  const first = solve(sums, targets, variances, 0.1);
  return solve(sums, targets, variances, Math.max(first.noise, 0.003));
}

interface Sums {
  /** Of each two features' products. */
  readonly gram: readonly (readonly number[])[];
  /** Of each feature's products with the target. */
  readonly moments: readonly number[];
}

function sumsOf(rows: readonly (readonly number[])[], targets: readonly number[], size: number): Sums {
  const gram = Array.from({ length: size }, () => zeros(size));
  const moments = zeros(size);
  rows.forEach((row, n) => {
    // Most features of a day are 0: all weekdays but one.
    const used = row.flatMap((feature, index) => (feature === 0 ? [] : [index]));
    for (const i of used) {
      const mine = gram[i] ?? [];
      moments[i] = at(moments, i) + at(row, i) * at(targets, n);
      for (const j of used) mine[j] = at(mine, j) + at(row, i) * at(row, j);
    }
  });
  return { gram, moments };
}

function solve(
  { gram, moments }: Sums,
  targets: readonly number[],
  variances: readonly number[],
  scale: number,
): Regression {
  const precisions = variances.map((variance) => scale ** 2 / variance);
  const lower = cholesky(
    gram.map((row, i) => row.map((sum, j) => (i === j ? sum + at(precisions, i) : sum))),
  );
  const inverse = invertLower(lower);
  // The inverse of the gram matrix is the transposed inverse of its root times that inverse.
  const spread = variances.map((_, i) => variances.map((__, j) => at(inverse[j] ?? [], i)));
  const half = inverse.map((row) => dot(row, moments));
  const mean = spread.map((row) => dot(row, half));
  const freedom = FREEDOM_BEFORE + targets.length;
  const squares = Math.max(
    FREEDOM_BEFORE * NOISE_BEFORE ** 2 + dot(targets, targets) - dot(half, half),
    1e-9,
  );
  const held = spread.reduce((total, row, i) => total + at(precisions, i) * dot(row, row), 0);
  const evidence =
    precisions.reduce((total, precision) => total + Math.log(precision) / 2, 0) -
    lower.reduce((total, row, i) => total + Math.log(at(row, i)), 0) -
    (freedom / 2) * Math.log(squares);
  return {
    mean,
    spread,
    noise: Math.sqrt(squares / freedom),
    freedom,
    settled: variances.length - held,
    evidence,
  };
}

/** The lower root of a symmetric, positive matrix. */
function cholesky(matrix: readonly (readonly number[])[]): number[][] {
  const lower: number[][] = [];
  matrix.forEach((row, i) => {
    const mine: number[] = [];
    for (let j = 0; j <= i; j++) {
      const other = j === i ? mine : (lower[j] ?? []);
      let rest = at(row, j);
      for (let k = 0; k < j; k++) rest -= at(mine, k) * at(other, k);
      mine.push(j === i ? Math.sqrt(Math.max(rest, 1e-12)) : rest / at(other, j));
    }
    lower.push(mine);
  });
  return lower;
}

/** The inverse of a lower triangle, with the zeros right of its diagonal. */
function invertLower(lower: readonly (readonly number[])[]): number[][] {
  const size = lower.length;
  const inverse = Array.from({ length: size }, () => zeros(size));
  lower.forEach((row, i) => {
    const mine = inverse[i] ?? [];
    for (let j = 0; j <= i; j++) {
      let rest = i === j ? 1 : 0;
      for (let k = j; k < i; k++) rest -= at(row, k) * at(inverse[k] ?? [], j);
      mine[j] = rest / at(row, i);
    }
  });
  return inverse;
}

export function dot(one: readonly number[], other: readonly number[]): number {
  let total = 0;
  for (let i = 0; i < one.length; i++) total += at(one, i) * at(other, i);
  return total;
}

/** Every index here is within its list. */
function at(list: readonly number[], index: number): number {
  return list[index] ?? 0;
}

function zeros(size: number): number[] {
  return Array.from({ length: size }, () => 0);
}
