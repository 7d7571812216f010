import { isWatched } from '../../src/operations/looked.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { OperationStore } from '../../src/operations/operation-store.ts';

/** A place where a worker waits for somebody else; a test decides who goes on, and who never does. */
export type Pause = (what: string) => Promise<void>;

/** Records as Redis keeps them, shared by all workers. */
export interface Shelf {
  readonly records: Map<string, { version: number; record: string }>;
  readonly due: Map<string, number>;
  readonly watched: Map<string, number>;
  /** Every state that a record ever had, oldest first. */
  readonly history: Operation[];
}

export function createShelf(operation: Operation): Shelf {
  const { id } = operation;
  return {
    records: new Map([[id, { version: 1, record: JSON.stringify(operation) }]]),
    due: new Map([[id, operation.effect.nextAt]]),
    watched: new Map(),
    history: [operation],
  };
}

/**
 * The store over a shelf, as one worker has it: a read, a write that takes effect and its answer are three waits.
 * The write does what scripts/step.lua does: nothing, where the version is another by then.
 */
export function createMemoryStore(shelf: Shelf, pause: Pause): OperationStore {
  const read = async (id: string): Promise<{ version: number; operation: Operation } | undefined> => {
    await pause('read');
    const found = shelf.records.get(id);
    const answer = found && { version: found.version, operation: parse(found.record) };
    await pause('is read');
    return answer;
  };
  const write = async (id: string, version: number, next: Operation, dueAt: number): Promise<boolean> => {
    await pause('write');
    const isMine = shelf.records.get(id)?.version === version;
    if (isMine) {
      shelf.records.set(id, { version: version + 1, record: JSON.stringify(next) });
      shelf.history.push(next);
      if (next.closedAt === undefined) shelf.due.set(id, dueAt);
      else shelf.due.delete(id);
      if (isWatched(next)) shelf.watched.set(id, next.effect.nextAt);
      else shelf.watched.delete(id);
    }
    await pause('is written');
    return isMine;
  };
  return {
    begin: () => Promise.reject(new Error('begun already')),
    find: async (id) => (await read(id))?.operation,
    findHolder: () => Promise.resolve(undefined),
    change: async (id, step, dueAt) => {
      for (;;) {
        const current = await read(id);
        const next = current && step(current.operation);
        if (!current || !next) return undefined;
        if (await write(id, current.version, next, dueAt(next))) return next;
      }
    },
    countTry: () => Promise.resolve(1),
    forgetTries: () => Promise.resolve(),
    listDue: async (before) => [...shelf.due].filter(([, at]) => at < before).map(([id]) => id),
    listOpen: () => Promise.resolve([]),
    listToLookAt: async (before) => {
      const ids = [...shelf.watched].filter(([, at]) => at <= before).map(([id]) => id);
      const found = await Promise.all(ids.map(read));
      return found.flatMap((one) => (one ? [one.operation] : []));
    },
    nextLookAt: async () => {
      await pause('ask for the next look');
      return [...shelf.watched.values()].toSorted((one, other) => one - other)[0];
    },
  };
}

function parse(record: string): Operation {
  return JSON.parse(record) as Operation;
}

/** The record as it stands. */
export function recordOf(shelf: Shelf, id: string): Operation {
  const found = shelf.records.get(id);
  if (!found) throw new Error(`no record ${id}`);
  return parse(found.record);
}
