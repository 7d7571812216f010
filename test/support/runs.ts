import { inject } from 'vitest';

/** Whether this is `npm run test:chaos`, which has the time for thousands of runs. */
export const isChaos = inject('isChaos');

const MAX_RUNS = 500;

/** How often a property is tried that `test:chaos` tries `most` times: a tenth of that, and at most 500. */
export function runs(most: number): number {
  return isChaos ? most : Math.min(MAX_RUNS, Math.ceil(most / 10));
}

/** Of what reads foreign text: the figure that docs/reliability.md promises. */
export const PURE_RUNS = runs(100_000);

/** Of a rule whose inputs are our own and few. */
export const RULE_RUNS = runs(20_000);

/** In `test:chaos` all of them, else the one that stands for them. */
export function allOr<T>(all: readonly T[], representative: T): readonly T[] {
  return isChaos ? all : [representative];
}
