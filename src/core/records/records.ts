import type { z } from 'zod';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { readStored, toStored, versionAfter } from '../../platform/redis/stored.ts';
import { type Commit, commit, type Committed, together, file, record, unfile, type Write } from './commit.ts';
import { NONE, unchanged } from './conditions.ts';

/**
 * What is written with a step: always the same, or as the record was and is. The latter is asked for again where what a condition
 * is about was moved by somebody else meanwhile, by the code `moved`.
 */
export type With<T, Code extends string = never> =
  | Commit<Code>
  | ((next: T, before: T) => Commit<Code | 'moved'> | Promise<Commit<Code | 'moved'>>);

/** A step could not be written for another reason than that somebody else moved the record. `code`: that of the condition. */
export class Unmet extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`moving a record: ${code}`);
    this.name = 'Unmet';
    this.code = code;
  }
}

/** Records of one kind, each under an id, which several processes move from the version they have read. */
export interface Records<T extends object> {
  /** Writes a record down, where there is none of this id and the conditions beside it hold. */
  create<Code extends string = never>(
    id: string,
    next: T,
    beside?: Commit<Code>,
  ): Promise<Committed<Code | 'there'>>;
  find(id: string): Promise<T | undefined>;
  /**
   * Moves a record by a pure step, again from the start whenever somebody else moved it meanwhile. Gives it as it is
   * then; undefined where there is none or the step did not apply. Throws Unmet where a condition beside it doesn't hold.
   */
  change<Code extends string = never>(
    id: string,
    step: (record: T) => T | undefined,
    beside?: With<T, Code>,
  ): Promise<T | undefined>;
  /**
   * The part of a commit that moves a record by a pure step from where it stands now; by `moved` nothing of that commit is written.
   * Undefined where there is none or the step did not apply.
   */
  moving(
    id: string,
    step: (record: T) => T | undefined,
    beside?: With<T>,
  ): Promise<Commit<'moved'> | undefined>;
  /** Ids of open records whose next step was due before `before`, Unix ms. What has expired is left out, and forgotten. */
  listDue(before: number): Promise<string[]>;
  /** All whose next step is due at some time. */
  listOpen(): Promise<readonly T[]>;
}

const MAX_AT_ONCE = 500;
/** An open record of which nothing was heard for so long has nobody any more who could bring it to its end. */
export const OPEN_KEPT_MS = 30 * 24 * 3_600_000;

/** A record with the version that it was read at. */
export interface Versioned<T> {
  readonly version: string;
  readonly record: T;
}

/** What a kind of records is. Where a job takes their next steps, its declaration is `Woken` as well. */
export interface RecordKind<T extends object> {
  /** The key of an id, which ends in that: a hash of version and record. */
  readonly keyOf: (id: string) => string;
  /** Sorted set: ids of those that are open, by when their next step is due. */
  readonly index: string;
  readonly schema: z.ZodType<T>;
  /** When a record's next step is due, Unix ms; `closed` for one that has none any more. */
  readonly dueAt: (record: T) => number | 'closed';
  /** How long (ms) a closed one is kept. */
  readonly keptMs: number;
  /** How long (ms) an open one whose next step is due then is kept from each step on; without it, for thirty days from its first. */
  readonly openKeptMs?: (dueAt: number) => number;
  /** What every step of a record says, written with it, or by `code` nothing. `before`: undefined for its first. */
  readonly says?: <Code extends string>(after: T, before: T | undefined, code: Code) => Promise<Commit<Code>>;
}

/** How a record is written in place of `version`: itself, and where it is filed by its next step. */
export function writesOf<T extends object>(
  kind: RecordKind<T>,
  id: string,
  version: string,
  next: T,
): readonly Write[] {
  const due = kind.dueAt(next);
  const first = version === NONE ? OPEN_KEPT_MS : undefined;
  const keptMs = due === 'closed' ? kind.keptMs : (kind.openKeptMs?.(due) ?? first);
  return [
    record(kind.keyOf(id), versionAfter(version), toStored(next), keptMs),
    due === 'closed' ? unfile(kind.index, id) : file(kind.index, id, due),
  ];
}

/** A record as it stands, for a commit that moves it together with another. */
export async function readRecord<T extends object>(
  redis: RedisConnection,
  { keyOf, schema }: RecordKind<T>,
  id: string,
): Promise<Versioned<T> | undefined> {
  const [version, text] = await redis.hmget(keyOf(id), 'version', 'record');
  if (typeof version !== 'string' || typeof text !== 'string') return undefined;
  return { version, record: readStored(schema, text) };
}

export function createRecords<T extends object>(redis: RedisConnection, kind: RecordKind<T>): Records<T> {
  const { keyOf, index } = kind;
  const putting = async <Code extends string, Other extends string>(
    id: string,
    before: Versioned<T> | undefined,
    next: T,
    beside: Commit<Code>,
    other: Other,
  ): Promise<Commit<Code | Other>> => {
    const version = before?.version ?? NONE;
    const said = (await kind.says?.(next, before?.record, other)) ?? {};
    return together<Code | Other>(
      { if: [unchanged(keyOf(id), version, other)], write: writesOf(kind, id, version, next) },
      said,
      beside,
    );
  };
  const find = async (id: string): Promise<T | undefined> => (await readRecord(redis, kind, id))?.record;
  const listDue = async (before: number): Promise<string[]> => {
    const ids = await redis.zrangebyscore(index, '-inf', before, 'LIMIT', 0, MAX_AT_ONCE);
    const stand = await Promise.all(ids.map((id) => redis.exists(keyOf(id))));
    // Nobody could do anything for what has expired.
    const expired = ids.filter((_id, at) => stand[at] === 0);
    if (expired.length > 0) await redis.zrem(index, ...expired);
    return ids.filter((_id, at) => stand[at] !== 0);
  };
  return {
    create: async (id, next, beside = {}) =>
      commit(redis, await putting(id, undefined, next, beside, 'there')),
    find,
    change: async (id, step, beside = {}) => {
      for (;;) {
        const found = await readRecord(redis, kind, id);
        const next = found && step(found.record);
        if (!found || next === undefined) return undefined;
        const also = typeof beside === 'function' ? await beside(next, found.record) : beside;
        const { result } = await commit(redis, await putting(id, found, next, also, 'moved'));
        if (result === 'written') return next;
        if (result !== 'moved') throw new Unmet(result);
      }
    },
    moving: async (id, step, beside = {}) => {
      const found = await readRecord(redis, kind, id);
      const next = found && step(found.record);
      if (!found || next === undefined) return undefined;
      const also = typeof beside === 'function' ? await beside(next, found.record) : beside;
      return putting(id, found, next, also, 'moved');
    },
    listDue,
    listOpen: async () => {
      const found = await Promise.all((await listDue(Number.MAX_SAFE_INTEGER)).map(find));
      return found.filter((one) => one !== undefined);
    },
  };
}
