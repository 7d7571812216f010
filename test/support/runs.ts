/** How often a property of pure code is tried on every commit: the figure that docs/reliability.md promises. */
export const PURE_RUNS = 100_000;
