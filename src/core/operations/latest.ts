import type { Operation } from './operation.ts';

/** A record as it stands in Redis under a version. */
export interface Versioned {
  readonly version: number;
  readonly operation: Operation;
  /** Where this process has filed it last by its next step, Redis' clock, Unix ms; undefined where it has not. */
  readonly filedAt?: number;
}

export interface Latest {
  get(id: string): Versioned | undefined;
  keep(one: Versioned): Versioned;
}

const MAX_LATEST = 1_000;

/** The operations that this process saw last: most steps follow its own, and need not be read again. */
export function createLatest(): Latest {
  const byId = new Map<string, Versioned>();
  return {
    get: (id) => byId.get(id),
    keep: (one) => {
      const { id, closedAt } = one.operation;
      // An answer that comes late must not put an older record over what this process has written since.
      if ((byId.get(id)?.version ?? 0) > one.version) return one;
      byId.delete(id);
      if (closedAt === undefined) byId.set(id, one);
      const [oldest] = byId.keys();
      if (byId.size > MAX_LATEST && oldest !== undefined) byId.delete(oldest);
      return one;
    },
  };
}
