import type { z } from 'zod';
import type { RedisConnection } from './connection.ts';
import { loadScript } from './script.ts';

/** Records of one kind, each under an id, which several processes move from the version they have read. */
export interface IndexedRecords<T> {
  /** Writes a record down; false, and nothing changed, where there is one of this id. */
  create(id: string, record: T): Promise<boolean>;
  find(id: string): Promise<T | undefined>;
  /**
   * Moves a record by a pure step, again from the start whenever somebody else moved it meanwhile. Gives it as it is
   * then; undefined where there is none or the step did not apply.
   */
  change(id: string, step: (record: T) => T | undefined): Promise<T | undefined>;
  /** Ids of open records whose next step was due before `before`, Unix ms. */
  listDue(before: number): Promise<string[]>;
}

const MAX_AT_ONCE = 500;

const swap = loadScript(new URL('./indexed-swap.lua', import.meta.url));

/**
 * `dueAt`: when a record's next step is due, Unix ms; `closed` for one that has none any more, which is kept for
 * `keptMs` more.
 */
export function createIndexedRecords<T>(
  redis: RedisConnection,
  options: {
    readonly keyOf: (id: string) => string;
    readonly index: string;
    readonly schema: z.ZodType<T>;
    readonly dueAt: (record: T) => number | 'closed';
    readonly keptMs: number;
  },
): IndexedRecords<T> {
  const { keyOf, index, schema, dueAt, keptMs } = options;
  const put = async (id: string, version: string, record: T): Promise<boolean> => {
    const due = dueAt(record);
    const score = due === 'closed' ? '' : Number.isFinite(due) ? due : '+inf';
    const args = [id, version, JSON.stringify(record), score, keptMs];
    return (await swap(redis, [keyOf(id), index], args)) === 1;
  };
  const read = async (id: string): Promise<{ version: string; record: T } | undefined> => {
    const [version, text] = await redis.hmget(keyOf(id), 'version', 'record');
    if (typeof version !== 'string' || typeof text !== 'string') return undefined;
    return { version, record: schema.parse(JSON.parse(text)) };
  };
  return {
    create: (id, record) => put(id, '0', record),
    find: async (id) => (await read(id))?.record,
    change: async (id, step) => {
      for (;;) {
        const found = await read(id);
        const next = found && step(found.record);
        if (!found || next === undefined) return undefined;
        if (await put(id, found.version, next)) return next;
      }
    },
    listDue: (before) => redis.zrangebyscore(index, '-inf', before, 'LIMIT', 0, MAX_AT_ONCE),
  };
}
