import { BoundedMap } from '../../platform/bounded-map.ts';
import { timesWritten } from '../../platform/redis/version.ts';
import type { Operation } from './operation.ts';

/** A record as it stands in Redis under a version. */
export interface Versioned {
  readonly version: string;
  /** Those under which this process knew it before, the newest last. */
  readonly before?: readonly string[];
  readonly operation: Operation;
  /** When this process began to write this version, by its own clock, ms; undefined where it has read it. */
  readonly movedAt?: number;
}

export interface Latest {
  get(id: string): Versioned | undefined;
  keep(one: Versioned): Versioned;
  /** What is known of it never was, or is no more. */
  forget(id: string): void;
  /** The open ones that are known. */
  listOpen(): readonly Versioned[];
  /** One was put back that Redis had lost. */
  addLost(operation: Operation): void;
  /** Those that were put back since this was asked last. */
  takeLost(): readonly Operation[];
  /** Forgets open ones but these: others have been closed by another process. */
  keepOpen(ids: ReadonlySet<string>): void;
}

const MOST_BEFORE = 20;

/** The versions under which a record was known, and the one under which it is. Pure. */
export function withOneMore({ before = [], version }: Versioned): readonly string[] {
  return [...before, version].slice(-MOST_BEFORE);
}

/**
 * Whether what stands in Redis is only older than what is known: a write that came to this process before, and not one that was made in its
 * place once the known ones were lost. Pure.
 */
export function isOlder(stands: Versioned, { version, before = [] }: Versioned): boolean {
  const times = timesWritten(stands.version);
  const known = before.find((one) => timesWritten(one) === times);
  return times < timesWritten(version) && (known === undefined || known === stands.version);
}

/** As many are polled together at most, so that none of those is read again at each poll. */
export const MOST_KNOWN = 10_000;
/** The job that has just closed one asks for it once more. */
const MOST_CLOSED = 100;

/**
 * The operations that this process saw last: most steps follow its own, and need not be read again. Without it a restart alone reads its
 * record 50 times more, and sends Redis 300 commands in place of 255. What Redis loses is put back from here.
 */
export function createLatest(): Latest {
  const open = new BoundedMap<string, Versioned>(MOST_KNOWN);
  const closed = new BoundedMap<string, Versioned>(MOST_CLOSED);
  const lost = new BoundedMap<string, Operation>(MOST_CLOSED);
  const get = (id: string): Versioned | undefined => open.get(id) ?? closed.get(id);
  return {
    get,
    keep: (read) => {
      const { id, closedAt } = read.operation;
      const known = get(id);
      // To read what it has written itself makes it no less its own.
      const movedAt = read.movedAt ?? (known?.version === read.version ? known.movedAt : undefined);
      const one = movedAt === undefined ? read : { ...read, movedAt };
      if (known && timesWritten(known.version) > timesWritten(one.version)) {
        // An answer that comes late must not be put over what this process has written since. But where Redis has lost what
        // closed it, it is open again: the next step reads it.
        closed.delete(id);
        return one;
      }
      open.delete(id);
      closed.delete(id);
      (closedAt === undefined ? open : closed).set(id, one);
      return one;
    },
    forget: (id) => {
      open.delete(id);
      closed.delete(id);
    },
    listOpen: () => [...open.values()],
    addLost: (operation) => lost.set(operation.id, operation),
    takeLost: () => {
      const all = [...lost.values()];
      lost.clear();
      return all;
    },
    keepOpen: (ids) => {
      for (const id of open.keys()) if (!ids.has(id)) open.delete(id);
    },
  };
}
