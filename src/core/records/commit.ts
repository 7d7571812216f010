import { type Condition, unchanged } from './conditions.ts';
import { auditKeys } from '../audit/keys.ts';
import { type Entry, entrySchema, withoutSecretsIn } from '../audit/entry.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { loadScript } from '../../platform/redis/script.ts';
import type { SwapRecord } from '../../platform/redis/clock.ts';
import { requestKeys } from '../ask/ask.ts';

/** One thing that is written at a key. */
export interface Write {
  readonly kind:
    | 'record'
    | 'file'
    | 'unfile'
    | 'set'
    | 'field'
    | 'unfield'
    | 'use'
    | 'remove'
    | 'claim'
    | 'release'
    | 'push'
    | 'first'
    | 'keep'
    | 'trim';
  readonly key: string;
  readonly words: readonly (string | number)[];
}

/** A record under a new version, see versionAfter. `keptMs`: from now on; without, as long as before. */
export function record(key: string, version: string, text: string, keptMs?: number): Write {
  return { kind: 'record', key, words: [version, text, keptMs === undefined ? '' : Math.ceil(keptMs)] };
}

/** An id stands in an index by when its next step is due, Unix ms; infinity for one that waits for something else. */
export function file(index: string, id: string, dueAt: number): Write {
  return { kind: 'file', key: index, words: [id, Number.isFinite(dueAt) ? dueAt : '+inf'] };
}

/** An id stands in an index no more. */
export function unfile(index: string, id: string): Write {
  return { kind: 'unfile', key: index, words: [id] };
}

export function set(key: string, text: string, keptMs: number): Write {
  return { kind: 'set', key, words: [text, keptMs] };
}

/** One field beside the record at its key. */
export function field(key: string, name: string, text: string): Write {
  return { kind: 'field', key, words: [name, text] };
}

/** A field is there no more. */
export function unfield(key: string, name: string): Write {
  return { kind: 'unfield', key, words: [name] };
}

/** What can be used once is, by `by`, which is remembered for `keptMs`. */
export function use(key: string, by: string, keptMs: number): Write {
  return { kind: 'use', key, words: [by, keptMs] };
}

export function remove(key: string): Write {
  return { kind: 'remove', key, words: [] };
}

/** A lock is `holder`'s, unless somebody has it. */
export function claim(lock: string, holder: string, keptMs: number): Write {
  return { kind: 'claim', key: lock, words: [holder, keptMs] };
}

/** A lock is nobody's, if it was `holder`'s. */
export function release(lock: string, holder: string): Write {
  return { kind: 'release', key: lock, words: [holder] };
}

/** A list has a newest text; it keeps the newest `most`, and up to twice as many. */
export function push(list: string, text: string, most: number, keptMs: number): Write {
  return { kind: 'push', key: list, words: [text, most, keptMs] };
}

/** One of at most `most` fields is there; what was written there first stays. */
export function first(key: string, name: string, text: string, most: number): Write {
  return { kind: 'first', key, words: [name, text, most] };
}

/** A key is kept for so long (ms) from now on. */
export function keep(key: string, keptMs: number): Write {
  return { kind: 'keep', key, words: [keptMs] };
}

/** A stream begins with the entry of this id. */
export function trim(stream: string, firstKept: string): Write {
  return { kind: 'trim', key: stream, words: [firstKept] };
}

/** A request is open no more: it was begun, answered or taken back. */
export function forgetRequest(requestId: string): readonly Write[] {
  return [remove(requestKeys.request(requestId)), unfile(requestKeys.open, requestId)];
}

/** How sure what is written must be. */
export interface Survival {
  /**
   * It must outlive the Redis that has it, since something is said or sent of it: enough replicas have it, or NotReplicated is
   * thrown. So does all that was written before, as replicas get every write in its order.
   */
  readonly survives?: boolean | undefined;
}

/** What is written together. Each `Code` names a condition that may not hold. */
export interface Commit<Code extends string = never> extends Survival {
  /** All must hold, looked at in this order. */
  readonly if?: readonly Condition<Code>[];
  readonly write?: readonly Write[];
  /** What records it in the audit: entries in their order, or nothing. */
  readonly audit?: Entry | readonly Entry[];
  /** Has what is due by it done at once. Where it fails, or the process ends before, the sweep finds it. */
  readonly wake?: () => Promise<unknown>;
}

/** Several commits as one: all conditions, then all that is written. */
export function together<Code extends string>(...commits: readonly Commit<Code>[]): Commit<Code> {
  const wakes = commits.flatMap(({ wake }) => wake ?? []);
  return {
    if: commits.flatMap((one) => one.if ?? []),
    write: commits.flatMap(({ write = [] }) => write),
    audit: commits.flatMap(({ audit = [] }) => audit),
    survives: commits.some(({ survives }) => survives),
    wake: wakes.length === 0 ? undefined : () => Promise.all(wakes.map((wake) => wake())),
  };
}

/** All is written; or nothing is, by the code of the first condition that didn't hold, with what was found in its place. */
export type Committed<Code extends string> =
  | { readonly result: 'written' }
  | { readonly result: Code; readonly found: string };

const script = loadScript(new URL('./commit.lua', import.meta.url));

/**
 * Writes records, what goes with them and the entries of the audit that record it: all of it in one step, or nothing where a
 * condition doesn't hold. Throws where Redis refuses it or can't be reached, and NotReplicated where it is to survive and that is not
 * certain; then it may be written all the same.
 */
export async function commit<Code extends string = never>(
  redis: RedisConnection,
  { if: conditions = [], write = [], audit = [], wake, survives = false }: Commit<Code>,
): Promise<Committed<Code>> {
  const texts = [audit].flat().map((entry) => JSON.stringify(withoutSecretsIn(entrySchema.parse(entry))));
  const keys = [
    ...conditions.map(({ key }) => key),
    ...write.map(({ key }) => key),
    ...(texts.length === 0 ? [] : [auditKeys.entries, auditKeys.head]),
  ];
  const words = [
    conditions.length,
    ...conditions.flatMap(({ kind, code, wanted = '', name = '' }) => [kind, code, wanted, name]),
    write.length,
    ...write.flatMap(({ kind, words: [one = '', two = '', three = ''] }) => [kind, one, two, three]),
    ...texts,
  ];
  // Also where nothing was written: what stands instead is told.
  const answer = await script(redis, keys, words, survives);
  const [result, found] = Array.isArray(answer) ? answer.map(String) : [];
  if (result === 'written') {
    await wake?.().catch(() => undefined);
    return { result };
  }
  const failed = conditions.find(({ code }) => code === result);
  if (!failed || found === undefined) throw new Error('committing: unexpected answer of the script');
  return { result: failed.code, found };
}

/** Puts a record in place of the version it was made from, for what stands below all records: the clock. */
export function createSwap(redis: RedisConnection): SwapRecord {
  return async (key, version, next, text) => {
    const swapping = { if: [unchanged(key, version, 'moved')], write: [record(key, next, text)] };
    return (await commit(redis, swapping)).result === 'written';
  };
}

/** Who did what, for what changes no record. */
export interface Audit {
  /** Writes one entry down. Throws where that can't be done. */
  append(entry: Entry): Promise<void>;
}

export function createAudit(redis: RedisConnection): Audit {
  return {
    append: async (entry) => {
      await commit(redis, { audit: entry });
    },
  };
}
