import type { z } from 'zod';
import type { RedisConnection } from './connection.ts';
import { loadScript } from './script.ts';
import { createVersionedReader } from './versioned-record.ts';

/** One record that several processes move, each from the version it has read. */
export interface RecordStore<T> {
  get(): Promise<T>;
  /**
   * Moves the record by a pure step, again from the start whenever somebody else moved it meanwhile. Gives it as it is
   * then; undefined where the step did not apply. What the step throws is thrown, and nothing is changed.
   */
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
  const { read, readTogether } = createVersionedReader(redis, key, schema, none);
  return {
    get: readTogether,
    change: async (step) => {
      for (;;) {
        const { version, record } = await read();
        const next = step(record);
        if (next === undefined) return undefined;
        if ((await swap(redis, [key], [version, JSON.stringify(next)])) === 1) return next;
      }
    },
  };
}
