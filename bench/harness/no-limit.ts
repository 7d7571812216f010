/** More calls than any benchmark makes. */
export const NO_LIMIT = { requests: 1_000_000, seconds: 60 };
