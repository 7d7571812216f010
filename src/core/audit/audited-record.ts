import type { z } from 'zod';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { INDEXED_RECORD, type IndexedSwap } from '../../platform/redis/indexed-records.ts';
import { createVersionedReader } from '../../platform/redis/versioned-record.ts';
import { type Audit, loadAudited } from './audit.ts';
import type { Entry } from './entry.ts';

/** One record that several processes move, each change with the entry that records it. */
export interface AuditedRecord<T> {
  get(): Promise<T>;
  /**
   * Moves the record by a pure step, again from the start whenever somebody else moved it meanwhile. Gives it as it is
   * then; undefined where the step did not apply. What the step throws is thrown, and nothing is changed.
   */
  change(step: (record: T) => T | undefined, entry: Entry | undefined): Promise<T | undefined>;
}

const swap = loadAudited(new URL('./audited-swap.lua', import.meta.url));
const indexedSwap = loadAudited(INDEXED_RECORD, new URL('./audited-indexed-swap.lua', import.meta.url));

/** For indexed records whose changes can be written with the entry that records them. */
export function auditedSwap(audit: Audit): IndexedSwap<Entry> {
  return (keys, args, entry) => audit.run(indexedSwap, keys, args, entry);
}

/** The record under `key`; `none` where there is none yet. */
export function createAuditedRecord<T>(
  redis: RedisConnection,
  audit: Audit,
  key: string,
  schema: z.ZodType<T>,
  none: T,
): AuditedRecord<T> {
  const { read, readTogether } = createVersionedReader(redis, key, schema, none);
  return {
    get: readTogether,
    change: async (step, entry) => {
      for (;;) {
        const { version, record } = await read();
        const next = step(record);
        if (next === undefined) return undefined;
        if ((await audit.run(swap, [key], [version, JSON.stringify(next)], entry)) === 1) return next;
      }
    },
  };
}
