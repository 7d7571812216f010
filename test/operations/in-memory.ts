import { isPolled } from '../../src/core/operations/polled.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import type { OperationStore } from '../../src/core/operations/operation-store.ts';

/** A place where a worker waits for somebody else; a test decides who goes on, and who never does. */
export type Pause = (what: string) => Promise<void>;

/** A record as it was written. It is frozen, so that all can read the same one. */
interface Kept {
  readonly version: number;
  readonly operation: Operation;
}

/** Records as Redis keeps them, shared by all workers. */
export interface Shelf {
  readonly records: Map<string, Kept>;
  /** Asked for at the end only, because the card must be rendered for it. */
  readonly due: Map<string, () => number>;
  readonly watched: Map<string, number>;
  /** Every state that a record ever had, oldest first. */
  readonly history: Operation[];
}

export function createShelf(operation: Operation): Shelf {
  const { id } = operation;
  const kept = keep(operation);
  return {
    records: new Map([[id, { version: 1, operation: kept }]]),
    due: new Map([[id, () => kept.execution.nextAt]]),
    watched: new Map(),
    history: [kept],
  };
}

/**
 * The store over a shelf, as one worker has it: a read, a write that takes effect and its answer are three waits.
 * The write does what scripts/step.lua does: nothing, where the version is another by then.
 */
export function createMemoryStore(shelf: Shelf, pause: Pause): OperationStore {
  const read = async (id: string): Promise<Kept | undefined> => {
    await pause('read');
    const found = shelf.records.get(id);
    await pause('is read');
    return found;
  };
  const write = async (
    id: string,
    version: number,
    next: Operation,
    dueAt: (operation: Operation) => number,
  ): Promise<boolean> => {
    await pause('write');
    const isMine = shelf.records.get(id)?.version === version;
    if (isMine) {
      const kept = keep(next);
      shelf.records.set(id, { version: version + 1, operation: kept });
      shelf.history.push(kept);
      if (next.closedAt === undefined) shelf.due.set(id, () => dueAt(kept));
      else shelf.due.delete(id);
      if (isPolled(next)) shelf.watched.set(id, next.execution.nextAt);
      else shelf.watched.delete(id);
    }
    await pause('is written');
    return isMine;
  };
  return {
    begin: () => Promise.reject(new Error('begun already')),
    find: async (id) => (await read(id))?.operation,
    findLatest: async (id) => (await read(id))?.operation,
    findHolder: () => Promise.resolve(undefined),
    change: async (id, step, { dueAt }) => {
      for (;;) {
        const current = await read(id);
        const next = current && step(current.operation);
        if (!current || !next) return undefined;
        if (await write(id, current.version, next, dueAt)) return next;
      }
    },
    moving: () => Promise.reject(new Error('nothing is handed over')),
    countTry: () => Promise.resolve(1),
    forgetTries: () => Promise.resolve(),
    listDue: () => Promise.resolve([]),
    listOpen: () => Promise.resolve([]),
    listOpenLatest: () => Promise.resolve([]),
    takeDuePolls: async (before) => {
      await pause('take what is to be polled');
      const ids = [...shelf.watched].filter(([, at]) => at <= before).map(([id]) => id);
      const found = await Promise.all(ids.map(read));
      const later = [...shelf.watched.values()].filter((at) => at > before);
      if (shelf.watched.size === 0) return undefined;
      return {
        due: found.flatMap((one) => (one ? [one.operation] : [])),
        nextAt: later.toSorted((one, other) => one - other)[0],
      };
    },
    takeLost: () => Promise.resolve([]),
    postponePolls: async (nextAt) => {
      await pause('put polls off');
      for (const [id, at] of nextAt) if (shelf.watched.has(id)) shelf.watched.set(id, at);
    },
    nextPollAt: async () => [...shelf.watched.values()].toSorted((one, other) => one - other)[0],
  };
}

/** What is left of a record in Redis, and nobody can change. */
function keep(operation: Operation): Operation {
  return JSON.parse(JSON.stringify(operation), (_key, value: unknown) => Object.freeze(value)) as Operation;
}

/** The record as it stands. */
export function recordOf(shelf: Shelf, id: string): Operation {
  const found = shelf.records.get(id);
  if (!found) throw new Error(`no record ${id}`);
  return found.operation;
}
