import type { z } from 'zod';
import type { RedisConnection } from './connection.ts';
import { loadScript } from './script.ts';
import { createVersionedRecord, type VersionedRecord } from './versioned-record.ts';

/** One record that several processes move, with nothing else written beside it. */
export interface RecordStore<T> extends Pick<VersionedRecord<T, undefined>, 'get'> {
  /** As in a versioned record. */
  change(step: (record: T) => T | undefined): Promise<T | undefined>;
}

const swap = loadScript(new URL('./swap.lua', import.meta.url));

/** The record under `key`; `none` where there is none yet. */
export function createRecordStore<T>(
  redis: RedisConnection,
  key: string,
  schema: z.ZodType<T>,
  none: T,
): RecordStore<T> {
  const { get, change } = createVersionedRecord<T, undefined>(redis, { key, schema, none }, (args) =>
    swap(redis, [key], args),
  );
  return { get, change: (step) => change(step, undefined) };
}
