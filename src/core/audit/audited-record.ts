import type { z } from 'zod';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { INDEXED_RECORD, type IndexedSwap } from '../../platform/redis/indexed-records.ts';
import { createVersionedRecord, type VersionedRecord } from '../../platform/redis/versioned-record.ts';
import { type Audit, loadAudited } from './audit.ts';
import type { Entry } from './entry.ts';

/** One record that several processes move, each change with the entry that records it. */
export type AuditedRecord<T> = VersionedRecord<T, Entry | undefined>;

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
  return createVersionedRecord<T, Entry | undefined>(redis, { key, schema, none }, (args, entry) =>
    audit.run(swap, [key], args, entry),
  );
}
