import { BoundedMap } from '../bounded-map.ts';
import { wholeName } from './key.ts';
import type { z } from 'zod';
import type { RedisConnection } from './connection.ts';
import { loadScript } from './script.ts';

/**
 * Records of one kind, each under an id, which several processes move from the version they have read. `With`: what can be
 * written in one step with a change.
 */
export interface IndexedRecords<T, With = never> {
  /** Writes a record down; false, and nothing changed, where there is one of this id, or the script says no. */
  create(id: string, record: T, also?: With): Promise<boolean>;
  find(id: string): Promise<T | undefined>;
  /** As this process last saw it, where it remembers it, which may be older than the record; read where it doesn't. */
  findLatest(id: string): Promise<T | undefined>;
  /**
   * Moves a record by a pure step, again from the start whenever somebody else moved it meanwhile. Gives it as it is
   * then; undefined where there is none or the step did not apply.
   */
  change(id: string, step: (record: T) => T | undefined, also?: With): Promise<T | undefined>;
  /** Ids of open records whose next step was due before `before`, Unix ms. What has expired is left out, and forgotten. */
  listDue(before: number): Promise<string[]>;
}

const MAX_AT_ONCE = 500;
/** An open record of which nothing was heard for so long has nobody any more who could bring it to its end. */
export const OPEN_KEPT_MS = 30 * 24 * 3_600_000;

/** Runs a script that does what `indexed-swap.lua` does, and writes `also` with it. Gives what the script returned. */
export type IndexedSwap<With> = (
  keys: readonly string[],
  args: readonly (string | number)[],
  also: With | undefined,
) => Promise<unknown>;

interface Versioned<T> {
  readonly version: string;
  readonly record: T;
}

/** The version of a record that is not there. */
const NONE = '0';

/** Put before a script that writes an indexed record itself. */
export const INDEXED_RECORD = new URL('./indexed-record.lua', import.meta.url);

const script = loadScript(INDEXED_RECORD, new URL('./indexed-swap.lua', import.meta.url));
const listDue = loadScript(new URL('./list-due.lua', import.meta.url));

/**
 * `keyOf`: the key of an id, which ends in that. `dueAt`: when a record's next step is due, Unix ms; `closed` for one that
 * has none any more, which is kept for `keptMs` more. `swap`: in place of the script that writes the record alone.
 */
export function createIndexedRecords<T, With = never>(
  redis: RedisConnection,
  options: {
    readonly keyOf: (id: string) => string;
    readonly index: string;
    readonly schema: z.ZodType<T>;
    readonly dueAt: (record: T) => number | 'closed';
    readonly keptMs: number;
    readonly swap?: IndexedSwap<With>;
    /**
     * How many of the records that it has seen last this process remembers, so that its next step needs no reading.
     * None where nothing is said. An id must never be used again.
     */
    readonly remembered?: number;
  },
): IndexedRecords<T, With> {
  const { keyOf, index, schema, dueAt, keptMs, swap = (keys, args) => script(redis, keys, args) } = options;
  const { remembered = 0 } = options;
  const seen = new BoundedMap<string, Versioned<T>>(remembered);
  const put = async (id: string, version: string, record: T, also?: With): Promise<boolean> => {
    const due = dueAt(record);
    const score = due === 'closed' ? '' : Number.isFinite(due) ? due : '+inf';
    const args = [id, version, JSON.stringify(record), score, keptFor(due, version)];
    return (await swap([keyOf(id), index], args, also)) === 1;
  };
  const keptFor = (due: number | 'closed', version: string): number | '' => {
    if (due === 'closed') return keptMs;
    return version === NONE ? OPEN_KEPT_MS : '';
  };
  const read = async (id: string): Promise<Versioned<T> | undefined> => {
    const [version, text] = await redis.hmget(keyOf(id), 'version', 'record');
    if (typeof version !== 'string' || typeof text !== 'string') {
      seen.delete(id);
      return undefined;
    }
    const one = { version, record: schema.parse(JSON.parse(text)) };
    seen.set(id, one);
    return one;
  };
  return {
    create: (id, record, also) => put(id, NONE, record, also),
    find: async (id) => (await read(id))?.record,
    findLatest: async (id) => (seen.get(id) ?? (await read(id)))?.record,
    change: async (id, step, also) => {
      for (let known = seen.get(id); ; known = undefined) {
        const found = known ?? (await read(id));
        const next = found && step(found.record);
        // Only the record itself says that a step does not apply.
        if (next === undefined && known) continue;
        if (!found || next === undefined) return undefined;
        if (await put(id, found.version, next, also)) {
          seen.set(id, { version: String(Number(found.version) + 1), record: next });
          return next;
        }
      }
    },
    listDue: async (before) => {
      // Mostly nothing is, and then this is all that is asked.
      if ((await redis.zcount(index, '-inf', before)) === 0) return [];
      const answer = await listDue(redis, [index], [before, MAX_AT_ONCE, wholeName(redis, keyOf(''))]);
      return Array.isArray(answer) ? answer.map(String) : [];
    },
  };
}
