import type { z } from 'zod';
import type { RedisConnection } from './connection.ts';

/** A record and the version that the next change of it must still find. */
interface VersionedRecord<T> {
  readonly version: string;
  readonly record: T;
}

/**
 * Reads of the record under `key`, which several processes change; `none` where there is none yet. A read throws where
 * Redis can't be reached or the record does not fit `schema`.
 */
export function createVersionedReader<T>(
  redis: RedisConnection,
  key: string,
  schema: z.ZodType<T>,
  none: T,
): {
  read(): Promise<VersionedRecord<T>>;
  /**
   * The record alone, by one read for all who ask in the same turn of the event loop. None of them misses a change: the
   * read leaves at the end of the turn, and what this process knows to be changed by then is changed.
   */
  readTogether(): Promise<T>;
} {
  let parsed: { readonly text: string; readonly record: T } | undefined;
  let together: Promise<T> | undefined;
  const read = async (): Promise<VersionedRecord<T>> => {
    const [version, text] = await redis.hmget(key, 'version', 'record');
    if (typeof version !== 'string' || typeof text !== 'string') return { version: '0', record: none };
    // Read far more often than changed.
    if (parsed?.text !== text) parsed = { text, record: schema.parse(JSON.parse(text)) };
    return { version, record: parsed.record };
  };
  return {
    read,
    readTogether: () => {
      if (together) return together;
      together = read().then(({ record }) => record);
      setImmediate(() => {
        together = undefined;
      });
      return together;
    },
  };
}
