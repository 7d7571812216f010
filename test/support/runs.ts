/** How often a property of what reads foreign text is tried on every commit: the figure that docs/reliability.md promises. */
export const PURE_RUNS = 100_000;

/** How often a property of a rule is tried, whose inputs are our own and few. */
export const RULE_RUNS = 20_000;
