import { auditKeys } from '../audit/keys.ts';
import { type Entry, entrySchema, withoutSecretsIn } from '../audit/entry.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { loadScript } from '../../platform/redis/script.ts';
import { type Condition, unchanged } from './conditions.ts';
import { type Write, record } from './writes.ts';
import type { SwapRecord } from '../../platform/redis/clock.ts';

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
    ...write.flatMap(({ kind, words: [first = '', second = '', third = ''] }) => [
      kind,
      first,
      second,
      third,
    ]),
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
